import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How long a connection stays after a response that came before the end of its request, in milliseconds. */
export const lingerMs = 2_000;
/** How much of the rest of a request is read meanwhile, in bytes. */
export const lingerBytes = 8_388_608;

/**
 * Lets clients see why their body is refused. A connection that closes while the client still sends is reset, and the reset can
 * overtake the response: a balancer then answers 502. So the server ends its own side, and drops what arrives until the client
 * ends its side (RFC 9112 section 9.6).
 */
export function lingerAfterRefusals(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.getHeader('connection') === 'close' && !request.raw.complete) linger(request.raw);
    done(null, payload);
  });
}

/**
 * Replaces how Node.js ends the connection once the response is written. The parser of Node.js sees nothing of the rest: one read of a
 * connection can have ten thousand chunks, and each takes a microsecond.
 */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer)).end();
    // What the request holds already, as one piece.
    request.pause().read();
    let dropped = 0;
    const endSoon = () => {
      if (socket.writableFinished) socket.destroy();
      else socket.once('finish', () => socket.destroy());
    };
    socket.removeAllListeners('data').on('data', ({ length }) => {
      dropped += length;
      if (dropped > lingerBytes) socket.destroy();
    });
    socket.once('end', endSoon).resume();
  };
}
