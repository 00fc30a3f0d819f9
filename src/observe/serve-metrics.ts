import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';

interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` at an address of its own, which clients of the service cannot reach, and `GET
 * /healthz`, by which a worker shows that it runs. Under `muster start`, the supervisor holds the port, so
 * that a successor gets it before its predecessor ends.
 */
export async function serveMetrics(
  metrics: Pick<Metrics, 'render'>,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?', 1)[0] : undefined;
    if (path !== '/metrics') {
      response.writeHead(path === '/healthz' ? 200 : 404).end();
      return;
    }
    try {
      const { contentType, text } = await metrics.render();
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  server.listen({ port, host });
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}
