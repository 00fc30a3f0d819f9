import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A connection to which a test writes bytes. An error of the connection counts as its end.
 * @param allowHalfOpen the client may go on sending when the server has ended its side
 */
export async function openConnection(
  port: number,
  { allowHalfOpen = false }: { allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The same connection, and the application's end of it. */
export async function openBothEnds(
  app: FastifyInstance,
  options: { allowHalfOpen?: boolean } = {},
): Promise<{ client: Socket; served: Socket }> {
  const accepted: Promise<[Socket]> = once(app.server, 'connection') as never;
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The application does not listen');
  const client = await openConnection(address.port, options);
  const [served] = await accepted;
  return { client, served };
}

/** All bytes received until the end. A reset counts as the end. */
export async function received(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  await new Promise((done) => socket.once('close', done));
  return answer;
}
