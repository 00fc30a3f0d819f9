import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';

/** The least time for reading what clients sent before they could know of the shutdown. */
const leastDrainMs = 500;
/**
 * On a busy machine that time may pass within a few turns of the event loop. A request needs several: accept,
 * read, parse.
 */
const drainTurns = 5;

/**
 * Closes connections at shutdown so that no request is lost and none delays the end. While draining, the
 * server still accepts connections, so that balancers have time to learn of the end, but it answers with
 * `Connection: close`. Then it closes idle connections at once and busy ones after their response.
 * @returns a function that tells whether the server is draining
 */
export function closeConnectionsAtShutdown(
  app: FastifyInstance,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
): () => boolean {
  let closing = false;
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    if (!app.server.listening) return;
    await pause(Math.max(drainSeconds * 1000, leastDrainMs));
    for (let turns = 0; turns < drainTurns; turns++) await turn();
    // The server counts a connection as idle only after its first request. Browsers open some in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The headers of this response were sent before the draining began.
    if (closing && reply.getHeader('connection') !== 'close') request.raw.socket.destroySoon();
    done();
  });
  return () => closing;
}
