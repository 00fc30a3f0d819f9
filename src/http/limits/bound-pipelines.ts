import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Few clients send a request before the former is answered, and none of those sends this many. */
const maxUnanswered = 32;

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** What is going on at a connection. */
interface Line {
  /** Whether a request is answered. */
  isBusy: boolean;
  /** The requests that wait for the response before them. */
  readonly waiting: Exchange[];
}

const lines = new WeakMap<Socket, Line>();

/** Whether a response of this connection is under way. */
export function isAnswering(socket: Socket): boolean {
  return lines.get(socket)?.isBusy === true;
}

/**
 * Begins a request when the response before it on the same connection was taken. Otherwise a client that reads nothing could let the
 * process make many responses. A connection on which too many requests wait is closed: one read of a connection can contain 2,000 short
 * requests. Call it before `listen`.
 */
export function boundPipelines({ server }: FastifyInstance): void {
  // A hook comes too late: what precedes the first hook takes as much time as many refused requests may take together.
  const answer = server.listeners('request');
  const begin = ([request, response]: Exchange) => {
    response.on('close', goOn);
    for (const listener of answer) listener.call(server, request, response);
  };
  // One function for all responses: a closure for each costs every request a microsecond (bench/profiles.md).
  function goOn(this: ServerResponse) {
    const { socket } = this.req;
    const line = lines.get(socket);
    // After `Connection: close` the client gets nothing more, so nothing more may take effect (RFC 9112 section 9.6).
    if (line === undefined || socket.destroyed || socket.writableEnded) return;
    const next = line.waiting.shift();
    if (next === undefined) line.isBusy = false;
    else begin(next);
  }
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    if (socket.writableEnded) return;
    const line = lines.get(socket);
    if (line === undefined) lines.set(socket, { isBusy: true, waiting: [] });
    else if (line.isBusy) {
      if (line.waiting.length + 1 >= maxUnanswered) socket.destroy();
      else line.waiting.push([request, response]);
      return;
    } else line.isBusy = true;
    begin([request, response]);
  });
}
