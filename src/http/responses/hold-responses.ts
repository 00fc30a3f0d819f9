import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import type { Logger } from '#src/platform/logger.js';
import { authenticatedOrganization } from '../auth/bearer-auth.js';
import { type RequestNote, requestNote } from '../base/request-note.js';
import { type BytePool, createBytePool, type HeldBytes } from '../limits/byte-pool.js';
import { addressOf } from '../limits/caller-address.js';
import { atOnceBytes, BodyPieces, pieceBytes } from './body-pieces.js';
import { isShared } from './public-document.js';
import { partTaken } from './quick-response.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** What this process holds of responses that clients have not taken: for callers with a valid token, and for all others. */
    readonly responsePools: Readonly<Record<'authenticated' | 'others', BytePool>>;
  }
}

/** Why a connection was closed although its response was not sent. */
type UnreadReason = 'full' | 'stalled';

interface HoldResponsesDeps {
  readonly config: Pick<Config, 'responseMemoryMib' | 'bodyTimeoutSeconds'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly measures?: { responseCutOff(reason: UnreadReason): void } | undefined;
}

/** A response whose body is one piece. */
interface ShortResponse {
  readonly request: FastifyRequest;
  readonly response: ServerResponse;
  /** What its body counts. */
  readonly bytes: number;
}

/** Memory of a response beside its body, in bytes: its objects, its head, and those of its connection. */
const responseBytes = 4_096;

/** A client without a token must take something of its response within this time. */
const strangerMs = 10_000;

/** How often the process looks for responses that stand still, in milliseconds. */
const lookEveryMs = 1_000;

/** The least time between two log lines about closed connections, in milliseconds. */
const logEveryMs = 60_000;

/** The bytes of a body that a stream keeps in memory from its beginning. */
export const keptBytes: RequestNote<number> = requestNote('keptBytes');

/**
 * Bounds the memory for responses that clients have not taken. Long bodies are written in pieces, the next one when the client has taken
 * the one before. The pools count what is left. When a pool or the share of a caller is full, the response that has stood still for the
 * longest time gives way: its connection is closed. Call it after {@link compressResponses} and before the routes are added.
 */
export function holdResponses(app: FastifyInstance, { config, logger, measures }: HoldResponsesDeps): void {
  const limit = config.responseMemoryMib * 1_048_576;
  const pools = { authenticated: createBytePool(limit), others: createBytePool(limit / 4) };
  app.decorate('responsePools', pools);
  const closed = { full: 0, stalled: 0 };
  let reason: UnreadReason = 'full';

  const hold = (request: FastifyRequest, response: ServerResponse): HeldBytes => {
    const giveWay = () => {
      closed[reason] += 1;
      measures?.responseCutOff(reason);
      response.destroy();
    };
    // A response whose source is slow is no fault of the client.
    const waits = () => response.writableLength > 0;
    const orgId = authenticatedOrganization(request);
    const held =
      orgId === undefined
        ? pools.others.hold(addressOf(request), giveWay, waits)
        : pools.authenticated.hold(orgId, giveWay, waits);
    response.once('close', () => held.release());
    return held;
  };

  const holdShort = lookAtShort(({ request, response, bytes }) => {
    hold(request, response).grow(responseBytes + bytes);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const response = reply.raw;
    if (payload === null || payload === undefined) return done(null, payload);
    const isGone = response.destroyed || request.raw.socket.destroyed;
    if (payload instanceof Readable && (isGone || request.method === 'HEAD')) {
      if (payload instanceof BodyPieces) reply.header('content-length', payload.bytes);
      payload.destroy();
      return done(null, Readable.from([]));
    }
    if (isGone || request.method === 'HEAD') return done(null, payload);
    if (payload instanceof Readable) {
      const held = hold(request, response);
      const length = payload instanceof BodyPieces ? payload.bytes : keptBytes.get(request);
      if (payload instanceof BodyPieces) reply.header('content-length', payload.bytes);
      held.grow(responseBytes + (length ?? 0));
      return done(null, withCount(payload, { held, response, isKept: length !== undefined }));
    }
    const body = payload as string | Buffer;
    const bytes = lengthOf(body);
    const isOfAll = Buffer.isBuffer(body) && isShared(body);
    if (bytes > pieceBytes) {
      const whole = typeof body === 'string' ? Buffer.from(body) : body;
      const held = hold(request, response);
      held.grow(responseBytes + (isOfAll ? 0 : bytes));
      reply.header('content-length', bytes);
      if (bytes > atOnceBytes)
        return done(null, withCount(new BodyPieces([whole]), { held, response, isKept: true }));
      response.on(partTaken, () => held.progress());
      return done(null, whole);
    }
    holdShort({ request, response, bytes: isOfAll ? 0 : bytes });
    return done(null, payload);
  });

  let loggedAt = Number.NEGATIVE_INFINITY;
  const look = setInterval(() => {
    const now = performance.now();
    reason = 'stalled';
    pools.others.endStalled(now - Math.min(strangerMs, config.bodyTimeoutSeconds * 1000));
    pools.authenticated.endStalled(now - config.bodyTimeoutSeconds * 1000);
    reason = 'full';
    if (closed.full + closed.stalled === 0 || now - loggedAt < logEveryMs) return;
    loggedAt = now;
    logger.warn({ ...closed }, 'Connections were closed, because their clients did not read their responses');
    closed.full = 0;
    closed.stalled = 0;
  }, lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(look));
}

/**
 * A short response usually fits into the buffers of the kernel. It counts only if some of it has to wait there. One look serves all that were
 * sent in a turn of the event loop: a listener for each would cost every request half a microsecond.
 * @param hold called for a response that waits
 */
function lookAtShort(hold: (waiting: ShortResponse) => void): (sent: ShortResponse) => void {
  let sent: ShortResponse[] = [];
  const holdWaiting = (each: ShortResponse) => {
    if (each.response.writableLength > 0 && !each.response.destroyed) hold(each);
  };
  const look = () => {
    const all = sent;
    sent = [];
    for (const each of all) {
      // A response with a head and without an end waits for its socket.
      if (each.response.headersSent) holdWaiting(each);
      else each.response.once('prefinish', () => holdWaiting(each));
    }
  };
  return (short) => {
    if (sent.push(short) === 1) setImmediate(look);
  };
}

/** In bytes. A short text is not measured exactly. */
function lengthOf(body: string | Buffer): number {
  if (typeof body !== 'string') return body.length;
  return body.length * 3 <= pieceBytes ? body.length : Buffer.byteLength(body);
}

/**
 * Hands out a body in pieces and counts what is left of it.
 * @param counted `isKept`: the whole body counts already. Otherwise a part counts from when the source gave it
 */
function withCount(
  source: Readable,
  counted: { readonly held: HeldBytes; readonly response: ServerResponse; readonly isKept: boolean },
): Readable {
  const { held, response, isKept } = counted;
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const part of source) {
      const bytes: Buffer = typeof part === 'string' ? Buffer.from(part) : part;
      held.progress();
      if (!isKept) held.grow(bytes.length);
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const piece = bytes.subarray(at, at + pieceBytes);
        yield piece;
        held.progress();
      }
      if (!isKept) held.grow(-bytes.length);
    }
  }
  // A source that waits for a store ends with the connection, and not after the store has answered.
  response.once('close', () => source.destroy());
  return Readable.from(pieces(), { objectMode: false, highWaterMark: pieceBytes });
}
