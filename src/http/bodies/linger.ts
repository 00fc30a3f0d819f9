import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a connection stays after a response that came before the end of its request, in milliseconds. */
export const lingerMs = 2_000;
/** How much of the rest of a request is read meanwhile, in bytes. */
const lingerBytes = 8_388_608;

/**
 * Lets clients see why their body is refused. A connection that closes while the client still sends is reset, and the reset can
 * overtake the response: a balancer then answers 502. So the server ends its own side, and drops what arrives until the client
 * ends its side (RFC 9112 section 9.6).
 */
export function lingerAfterRefusals(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete && reply.getHeader('connection') === 'close') linger(request.raw);
    done(null, payload);
  });
}

/**
 * Replaces how Node.js ends the connection once the response is written. From then on the connection is read as bytes, without the
 * parser: one read can have ten thousand chunks, and each takes some microseconds.
 */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    const ended = () => {
      clearTimeout(timer);
      // The request does not end by itself, and the timer of `slow-clients.ts` waits for its end.
      request.destroy();
    };
    socket.once('close', ended).end();
    // The request forgets what it kept, and does not keep what the parser still finds in the last read.
    request.pause().read();
    request.push = () => true;
    // Node.js may have stopped reading. It starts again with the event `resume`, as long as the parser listens for that.
    socket.resume();
    process.nextTick(() => dropAll(socket));
  };
}

/** Drops what arrives, until the client ends its side or has sent too much. */
function dropAll(socket: Socket): void {
  let dropped = 0;
  const count = ({ length }: Buffer) => {
    dropped += length;
    if (dropped > lingerBytes) socket.destroy();
  };
  const endSoon = () => {
    if (socket.writableFinished) socket.destroy();
    else socket.once('finish', () => socket.destroy());
  };
  socket.removeAllListeners('data').removeAllListeners('end').on('data', count).once('end', endSoon);
}
