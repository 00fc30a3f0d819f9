import type { Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { authenticatedOrganization } from '../auth/bearer-auth.js';
import { acceptsGzip } from '../bodies/content-encoding.js';
import { BodyPieces, pieceBytes } from './body-pieces.js';
import { keptBytes } from './hold-responses.js';
import { documentOf } from './public-document.js';

/** A shorter text saves no packet of the network. In bytes. */
const leastBytes = 1_024;

/** Memory of one compressor, in bytes. */
const deflaterBytes = 262_144;

/** Half of the work of the usual level, for a tenth more bytes. */
const level = 3;

/**
 * Compresses responses of the routes with the fact `compressible`, if the client accepts gzip. Only they may have no secret. A
 * thread of Node.js does the work. Callers without a token get only documents compressed, and each of them is compressed once. So
 * nobody can spend these threads, which also hash passwords. Call it before the routes are added.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.routeOptions.config.compressible) return done(null, payload);
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    const bytes = lengthOf(payload);
    if (bytes < leastBytes || !acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
    const send = (compressed: Buffer | Readable) => {
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      done(null, compressed);
    };
    const document = Buffer.isBuffer(payload) ? documentOf(payload) : undefined;
    if (document !== undefined) {
      document.gzip().then(send, done);
      return;
    }
    if (authenticatedOrganization(request) === undefined) return done(null, payload);
    const pieces = inPieces(payload, bytes);
    if (pieces !== undefined) {
      keptBytes.set(request, pieces.bytes + deflaterBytes);
      return send(compressedPieces(pieces));
    }
    return gzip(payload as string | Buffer, { level }, (error, compressed) => {
      if (error === null) send(compressed);
      else done(error);
    });
  });
}

/** In bytes. 0 for other streams, whose length nobody knows. */
function lengthOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof BodyPieces ? payload.bytes : 0;
}

/** A long body, which is compressed piece by piece: no other work of the threads then waits for the whole of it. */
function inPieces(payload: unknown, bytes: number): BodyPieces | undefined {
  if (payload instanceof BodyPieces) return payload;
  if (bytes <= pieceBytes) return undefined;
  return new BodyPieces([typeof payload === 'string' ? Buffer.from(payload) : (payload as Buffer)]);
}

function compressedPieces(pieces: BodyPieces): Readable {
  const compressed = createGzip({ level });
  pieces.pipe(compressed).once('close', () => pieces.destroy());
  return compressed;
}
