import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../errors.js';
import { createBodyBuffers } from './body-buffers.js';
import { holdBody } from './hold-bodies.js';

const retryAfterSeconds = 2;
/**
 * A chunk takes as much time as some hundred bytes. Beyond the first ones, chunks must therefore have this length on average,
 * in bytes.
 */
const leastChunk = 16;
const freeChunks = 1_000;
/** Memory of a request besides its body, in bytes. With it, a body counts before its first byte arrives. */
const requestBytes = 1_024;

const buffers = createBodyBuffers();
const noBytes = Buffer.alloc(0);

/**
 * The whole body of a request as text. A body that announces more bytes than the route takes is refused before any is read.
 * The bytes count as held until the response.
 * @param payload as a content type parser gets it
 * @throws AppError `http.bodyTooLarge`, `http.bodyTooSlow`, `http.bodyMalformed`
 */
export async function readBody(request: FastifyRequest, payload: IncomingMessage): Promise<string> {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new AppError(httpErrors.bodyTooLarge);
  // The client went away while its token was checked. No event will say so again.
  if (payload.destroyed || request.raw.socket.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const held = holdBody(request, () => fail(new AppError(httpErrors.bodyTooSlow, { retryAfterSeconds })));
    let body: Buffer = noBytes;
    let length = 0;
    let chunks = 0;
    const onData = (chunk: Buffer) => {
      if (++chunks > freeChunks + length / leastChunk) return fail(brokenUp());
      if (length + chunk.length > limit) return fail(new AppError(httpErrors.bodyTooLarge));
      if (length + chunk.length > body.length) {
        const before = body.length;
        body = enlarged(body, { used: length, needed: length + chunk.length, limit });
        held.grow(body.length - before);
      }
      length += chunk.copy(body, length);
    };
    const onEnd = () => {
      held.finish();
      resolve(body.toString('utf8', 0, length));
      stop();
    };
    const onBroken = (cause?: unknown) => fail(brokenOff(cause));
    const stop = () => {
      payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      buffers.giveBack(body);
      body = noBytes;
    };
    const fail = (error: AppError) => {
      stop();
      held.release();
      reject(error);
    };
    held.grow(requestBytes);
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function brokenUp(): AppError {
  return new AppError(httpErrors.bodyMalformed, { detail: 'The body comes in too small pieces' });
}

function brokenOff(cause?: unknown): AppError {
  return new AppError(httpErrors.bodyMalformed, { detail: 'The body broke off', cause });
}

/**
 * Returns a copy with room for what is needed, at least twice the former room. The body is one buffer instead of a list of
 * chunks, because the client chooses the length of its chunks, and a chunk of one byte takes some hundred bytes of memory.
 */
function enlarged(
  body: Buffer,
  { used, needed, limit }: { used: number; needed: number; limit: number },
): Buffer {
  const larger = buffers.take(Math.min(limit, Math.max(needed, 2 * body.length)));
  body.copy(larger, 0, 0, used);
  buffers.giveBack(body);
  return larger;
}
