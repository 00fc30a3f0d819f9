import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import type { MaySkip } from '../../../dev/not-run.js';
import { until } from '../../../dev/stage/stage.js';
import { freePort } from '../network/free-port.js';
import { type Balancer, startBalancer } from '../network/nginx.js';
import type { Cluster } from './cluster.js';
import type { Ingress, Values } from './objects.js';

const annotationOf = 'nginx.ingress.kubernetes.io/';
const directiveOf: Record<string, string> = { 'proxy-body-size': 'client_max_body_size' };

/**
 * What an ingress controller makes of the one Ingress of a cluster: nginx that ends TLS with the certificate of its
 * Secret and passes requests on to the endpoints of its Service, as they come and go.
 * @returns the port of HTTPS; `serves` waits until there is somebody
 */
export async function serveIngress(
  t: Pick<Test, 'teardown' | 'comment'> & MaySkip,
  cluster: Cluster,
): Promise<{ port: number; serves: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-ingress-'));
  const [port, plainPort] = [await freePort(), await freePort()];
  let closed = false;
  let balancer: Balancer | undefined;
  let served = '';
  const serve = async (ingress: Ingress) => {
    const { namespace = '' } = ingress.metadata;
    const { service } = ingress.spec.rules[0]?.http.paths[0]?.backend ?? {};
    if (service === undefined) throw new Error('The Ingress leads nowhere');
    const servers = cluster.endpoints(namespace, service.name, service.port.name).sort();
    if (servers.length === 0 || servers.join() === served) return;
    served = servers.join();
    if (balancer !== undefined) return balancer.use(servers, { atOnce: true });
    const secretName = ingress.spec.tls[0]?.secretName ?? '';
    const { data } = cluster.get<Values>(namespace, 'Secret', secretName);
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    await writeFile(certFile, data['tls.crt'] ?? '');
    await writeFile(keyFile, data['tls.key'] ?? '');
    const directives = Object.entries(ingress.metadata.annotations).map(([name, value]) => {
      const short = name.replace(annotationOf, '');
      return `${directiveOf[short] ?? short.replaceAll('-', '_')} ${value};`;
    });
    const tls = { port, certFile, keyFile, directives };
    balancer = await startBalancer(t, { port: plainPort, servers, tls });
  };
  let problem: unknown;
  const loop = (async () => {
    while (!closed && problem === undefined) {
      for (const ingress of cluster.ingresses()) await serve(ingress);
      await pause(100);
    }
  })().catch((error: unknown) => {
    problem = error;
  });
  t.teardown(async () => {
    closed = true;
    await loop;
    await rm(folder, { recursive: true, force: true });
    if (problem !== undefined) throw problem;
  });
  const serves = () =>
    until(
      () => {
        if (problem !== undefined) throw problem;
        return balancer !== undefined;
      },
      { within: 60_000 },
    );
  return { port, serves: async () => void (await serves()) };
}
