import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';

/** A server that answers as a test says. */
export interface WebServer {
  readonly url: string;
  /** Every request so far, such as `GET /admin/v1/jobs?limit=1`. */
  readonly requests: string[];
  /** The number of connections so far. */
  connections(): number;
}

export async function startWebServer(
  t: Pick<Test, 'teardown'>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<WebServer> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  t.teardown(endable(server));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, connections: () => connections };
}
