import type { KubernetesObject } from './render.js';

/** The Pod Security Standard that the pods fulfil, as the label of a namespace. */
const standard = 'restricted';

/**
 * Reports namespaces that would admit pods with more privileges than those of Muster have: `enforce` refuses such pods, and `warn`
 * says so to the person who applies a Deployment.
 */
export function checkNamespaces(objects: readonly KubernetesObject[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'Namespace')
    .flatMap(({ metadata }) =>
      ['enforce', 'warn']
        .map((mode) => `pod-security.kubernetes.io/${mode}`)
        .filter((label) => metadata.labels?.[label] !== standard)
        .map((label) => `Namespace ${metadata.name} lacks the label ${label}: ${standard}`),
    );
}
