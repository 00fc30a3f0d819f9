import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is draining: see {@link closeConnectionsAtShutdown}. */
    readonly isClosing: () => boolean;
  }
}

/** The least time for reading what clients sent before they could know of the shutdown. */
const leastDrainMs = 500;
/**
 * On a busy machine that time may pass within a few turns of the event loop. A request needs several: accept,
 * read, parse.
 */
const drainTurns = 5;

/** How often connections that sent nothing are looked for, in milliseconds. */
const silentCheckMs = 100;

/**
 * Closes connections at shutdown so that no request is lost and none delays the end. While draining, the
 * server still accepts connections, so that balancers have time to learn of the end, but it answers with
 * `Connection: close`. Then it closes idle connections at once and busy ones after their response.
 */
export function closeConnectionsAtShutdown(
  app: FastifyInstance,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
): void {
  let closing = false;
  app.decorate('isClosing', () => closing);
  const accepted = new Map<Socket, number>();
  app.server.on('connection', (socket) => {
    accepted.set(socket, performance.now());
    socket.once('close', () => accepted.delete(socket));
  });
  // The server counts a connection as idle only after its first request. Browsers open some in advance. A young
  // connection may have a request that was not read yet.
  const closeSilent = () => {
    const now = performance.now();
    for (const [socket, at] of accepted) {
      if (socket.bytesRead === 0 && now - at >= leastDrainMs) socket.destroy();
    }
  };
  app.addHook('preClose', async () => {
    closing = true;
    if (!app.server.listening) return;
    await pause(Math.max(drainSeconds * 1000, leastDrainMs));
    for (let turns = 0; turns < drainTurns; turns++) await turn();
    const timer = setInterval(closeSilent, silentCheckMs);
    app.server.once('close', () => clearInterval(timer));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The headers of this response were sent before the draining began, so its client may send another request at once. While the
    // server drains, that request is answered with `Connection: close`.
    const isDrained = closing && !app.server.listening;
    if (isDrained && reply.getHeader('connection') !== 'close') request.raw.socket.destroySoon();
    done();
  });
}
