import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import { authenticatedOrganization } from '../auth/bearer-auth.js';
import { acceptsGzip } from '../bodies/content-encoding.js';
import { BodyPieces, pieceBytes } from './body-pieces.js';
import { gzipBytes } from './gzip-bytes.js';
import { keptBytes } from './hold-responses.js';
import { documentOf } from './public-document.js';

/** A shorter text saves no packet of the network. In bytes. */
const leastBytes = 1_024;

/** Memory of one compressor, in bytes. */
const deflaterBytes = 262_144;

/** Half of the work of the usual level, for a tenth more bytes. */
const level = 3;

/**
 * Compresses responses of the routes with the fact `compressible`, if the client accepts gzip. Only they may have no secret. The
 * threads of Node.js do the work, in the fair queue that they have. Callers without a token get only documents compressed, and each of
 * them is compressed once. Call it before the routes are added.
 */
export function compressResponses(
  app: FastifyInstance,
  { threads }: { threads: Pick<ThreadPool, 'run'> },
): void {
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
    const orgId = authenticatedOrganization(request);
    if (orgId === undefined) return done(null, payload);
    // Nobody gets the body of a response to HEAD.
    if (request.method === 'HEAD' && bytes > pieceBytes) return done(null, payload);
    const pieces = inPieces(payload, bytes);
    if (pieces !== undefined) {
      keptBytes.set(request, pieces.bytes + deflaterBytes);
      const inTurn = <T>(work: () => Promise<T>) => threads.run('compression', orgId, work);
      return send(
        Readable.from(compressed(pieces, inTurn), { objectMode: false, highWaterMark: pieceBytes }),
      );
    }
    // What the request did is done, so a busy process answers without compression.
    const asItIs = () => done(null, payload);
    threads.run('short', orgId, () => gzipBytes(payload as string | Buffer, level)).then(send, asItIs);
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

/** The compressed form of a long body. Each piece takes a turn of its own, so that no other work waits for the whole of it. */
async function* compressed(
  pieces: BodyPieces,
  inTurn: (work: () => Promise<void>) => Promise<void>,
): AsyncGenerator<Buffer> {
  const compressor = createGzip({ level });
  const ready: Buffer[] = [];
  compressor.on('data', (part: Buffer) => ready.push(part));
  try {
    for await (const piece of pieces) {
      await inTurn(() => new Promise((done, failed) => compressor.write(piece, settle(done, failed))));
      yield* ready.splice(0);
    }
    const ended = once(compressor, 'end');
    await inTurn(async () => {
      compressor.end();
      await ended;
    });
    yield* ready.splice(0);
  } finally {
    compressor.destroy();
  }
}

function settle(done: () => void, failed: (error: Error) => void) {
  return (error?: Error | null) => (error ? failed(error) : done());
}
