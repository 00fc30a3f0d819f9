import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A connection that bytes are written to by hand; an error of it is an end as any other. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The same, and the end of it that the application has. */
export async function openBothEnds(app: FastifyInstance): Promise<{ client: Socket; served: Socket }> {
  const accepted: Promise<[Socket]> = once(app.server, 'connection') as never;
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The application does not listen');
  const client = await openConnection(address.port);
  const [served] = await accepted;
  return { client, served };
}

/** All that came until the end, also where a reset is the end. */
export async function received(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  await new Promise((done) => socket.once('close', done));
  return answer;
}
