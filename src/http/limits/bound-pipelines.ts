import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Few clients send a request before the former is answered, and none of those sends this many. */
const maxUnanswered = 32;

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * Begins a request when the response before it on the same connection was taken. Otherwise a client that reads nothing could let the
 * process make many responses. A connection on which too many requests wait is closed: one read of a connection can contain 2,000 short
 * requests. Call it before `listen`.
 */
export function boundPipelines({ server }: FastifyInstance): void {
  /** The requests of a connection that wait for the response before them. Present while a request is answered. */
  const lines = new WeakMap<Socket, Exchange[]>();
  // A hook comes too late: what precedes the first hook takes as much time as many refused requests may take together.
  const answer = server.listeners('request');
  const begin = (socket: Socket, [request, response]: Exchange) => {
    response.once('close', () => {
      // After `Connection: close` the client gets nothing more, so nothing more may take effect (RFC 9112 section 9.6).
      const isEnded = socket.destroyed || socket.writableEnded;
      const next = isEnded ? undefined : lines.get(socket)?.shift();
      if (next !== undefined) begin(socket, next);
      else if (!isEnded) lines.delete(socket);
    });
    for (const listener of answer) listener.call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (socket.writableEnded) return;
    if (line === undefined) {
      lines.set(socket, []);
      begin(socket, [request, response]);
    } else if (line.length + 1 >= maxUnanswered) socket.destroy();
    else line.push([request, response]);
  });
}
