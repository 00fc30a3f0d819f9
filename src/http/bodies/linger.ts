import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createChunkCheck } from './chunk-check.js';

/** How long a connection stays after a response that came before the end of its request, in milliseconds. */
export const lingerMs = 2_000;
/** How much of the rest of a request is read meanwhile, in bytes. */
export const lingerBytes = 8_388_608;

/**
 * Lets clients see why their body is refused. A connection that closes while the client still sends is reset, and the reset can
 * overtake the response: a balancer then answers 502. So the server ends its own side, and drops what arrives until the request is
 * complete (RFC 9112 section 9.6).
 */
export function lingerAfterRefusals(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.getHeader('connection') === 'close' && !request.raw.complete) linger(request.raw);
    done(null, payload);
  });
}

/** Replaces how Node.js ends the connection once the response is written. */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  const faultOf = createChunkCheck(lingerBytes);
  const count = (chunk: Buffer) => {
    if (faultOf(chunk) === undefined) return;
    // One read of a connection has thousands of tiny chunks. The others cost nothing without a listener.
    request.off('data', count);
    socket.destroy();
  };
  // With a listener from now on, Node.js does not hide the rest.
  request.on('data', count);
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer)).end();
    const endSoon = () => {
      if (socket.writableFinished) socket.destroy();
      else socket.once('finish', () => socket.destroy());
    };
    request.once('end', endSoon).resume();
  };
}
