import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { authenticatedOrganization } from '../auth/bearer-auth.js';
import { httpErrors } from '../base/errors.js';
import { requestNote } from '../base/request-note.js';
import { type BytePool, createBytePool, type HeldBytes } from '../limits/byte-pool.js';
import { addressOf } from '../limits/caller-address.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The bodies that this process holds for callers with a valid token, and for all others. */
    readonly bodyPools: Readonly<Record<'authenticated' | 'others', BytePool>>;
  }
}

/** Methods whose requests have no body here. RFC 9110 section 9.3 gives a body no meaning with any of them. */
const bodyless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

const held = requestNote<HeldBytes>('held');
const heldOf = new WeakMap<Socket, Set<HeldBytes>>();

/**
 * Bounds the memory for bodies of requests that this process has not answered, and refuses bodies where none is used. Call
 * it before the routes are added.
 */
export function holdBodies(app: FastifyInstance, { bodyMemoryMib }: Pick<Config, 'bodyMemoryMib'>): void {
  const limit = bodyMemoryMib * 1_048_576;
  app.decorate('bodyPools', {
    authenticated: createBytePool(limit),
    others: createBytePool(limit / 4),
  });
  // Only scopes that use bodies add a parser. Without a parser, the body at an unknown address is not read.
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!bodyless.has(request.method)) return done(null, payload);
    if (Number(request.headers['content-length'] ?? 0) > 0) {
      reply.header('connection', 'close');
      // An address without the method says so, whatever was sent.
      return request.is404 ? done(null, payload) : done(new AppError(httpErrors.bodyNotTaken));
    }
    // Some proxies announce a body of unknown length, which then is empty. Whatever arrives is dropped.
    if (request.headers['transfer-encoding'] !== undefined) request.raw.resume();
    return done(null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (sendsChunksInVain(request)) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const body = held.get(request);
    if (body !== undefined) {
      body.release();
      heldOf.get(request.raw.socket)?.delete(body);
    }
    done();
  });
}

/**
 * Counts the body of a request until the response or the end of the connection.
 * @param refuse called when the body must give its place to newer ones
 */
export function holdBody(request: FastifyRequest, refuse: () => void): HeldBytes {
  const { authenticated, others } = request.server.bodyPools;
  const orgId = authenticatedOrganization(request);
  const body =
    orgId === undefined ? others.hold(addressOf(request), refuse) : authenticated.hold(orgId, refuse);
  held.set(request, body);
  releaseWith(request.raw.socket, body);
  return body;
}

/**
 * Whether an unknown caller still sends a chunked body when its response is ready. Reading the rest costs time for each chunk,
 * and the client decides how many there are. An import is the exception: its client should see why it is refused.
 */
function sendsChunksInVain(request: FastifyRequest): boolean {
  const { raw, headers, routeOptions } = request;
  if (raw.complete || headers['transfer-encoding'] === undefined || routeOptions.config.streamed)
    return false;
  return authenticatedOrganization(request) === undefined;
}

/** A request whose connection breaks may never get a response. */
function releaseWith(socket: Socket, body: HeldBytes): void {
  const known = heldOf.get(socket);
  if (known !== undefined) {
    known.add(body);
    return;
  }
  const bodies = new Set([body]);
  heldOf.set(socket, bodies);
  socket.once('close', () => {
    for (const each of bodies) each.release();
  });
}
