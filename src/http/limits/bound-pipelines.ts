import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Few clients send a request before the former is answered, and none of those sends this many. */
const maxUnanswered = 32;

/**
 * Ends a connection on which too many requests wait for their response. One read of a connection can contain 2,000 short
 * requests, and the process would answer all of them before it serves another connection. Call it before `listen`.
 */
export function boundPipelines({ server }: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  // A hook comes too late: what precedes the first hook takes as much time as many refused requests may take together.
  const answer = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const count = unanswered.get(socket) ?? 0;
    if (count >= maxUnanswered) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    for (const listener of answer) listener.call(server, request, response);
  });
}
