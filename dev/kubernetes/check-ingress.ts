import { maxHeaderSize } from '#src/http/limits/slow-clients.js';
import type { KubernetesObject } from './render.js';

const key = 'large-client-header-buffers';

/**
 * Reports a ConfigMap of ingress-nginx by which the controller refuses addresses that the service accepts. The first number of the
 * setting is a count, and the second the size of one buffer. A request line must fit into one buffer.
 */
export function checkIngress(objects: readonly KubernetesObject[]): string[] {
  return objects
    .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('ingress-nginx'))
    .flatMap(({ metadata, ...object }) => {
      const given = (object['data'] as Readonly<Record<string, string>> | undefined)?.[key];
      const [, kibibytes] = /^\d+ (\d+)k$/.exec(given ?? '') ?? [];
      if (Number(kibibytes) * 1_024 >= maxHeaderSize) return [];
      return [`ConfigMap ${metadata.name} has ${key} ${given}: the service accepts ${maxHeaderSize} bytes`];
    });
}
