import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';

/** Least time for what clients had sent before they could know of the closing to be read. */
const leastDrainMs = 500;
/** On a busy machine that time may pass within few turns of the event loop: accept, read, parse. */
const drainTurns = 5;

/**
 * Closes connections so that no request is lost and none holds up the shutdown. While it drains, for as long as balancers
 * need to learn of the end, the server still accepts, and each answer ends its connection; then idle connections are
 * closed, and the others after their answer, which a client that keeps them open would otherwise do only when its own
 * idle time is over.
 * @returns whether the server is about to end
 */
export function closeConnectionsAtShutdown(
  app: FastifyInstance,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
): () => boolean {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    if (!app.server.listening) return;
    await pause(Math.max(drainSeconds * 1000, leastDrainMs));
    for (let turns = 0; turns < drainTurns; turns++) await turn();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // An answer whose headers had gone out before.
    if (closing && reply.getHeader('connection') !== 'close') request.raw.socket.destroySoon();
    done();
  });
  return () => closing;
}
