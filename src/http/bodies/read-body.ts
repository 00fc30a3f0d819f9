import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';
import { createBodyBuffers } from './body-buffers.js';
import { createChunkCheck, tooLarge } from './chunk-check.js';
import { isGzipped } from './content-encoding.js';
import { holdBody } from './hold-bodies.js';
import { goesOn } from './inflated.js';

const retryAfterSeconds = 2;
/** Memory of a request besides its body, in bytes. With it, a body counts before its first byte arrives. */
const requestBytes = 1_024;
/** Memory of one inflater, in bytes: the window of 32 KiB, its tables and a piece of output. */
const inflaterBytes = 65_536;

const buffers = createBodyBuffers();
const noBytes = Buffer.alloc(0);

/**
 * The whole body of a request as text. A body that announces more bytes than the route takes is refused before any is read.
 * The bytes count as held until the response. Those of a compressed body count as they appear, and none appears beyond the
 * limit.
 * @param payload as a content type parser gets it
 * @param options `mayBeGzipped`: the body may be compressed. Without it, a coding of the body is ignored
 * @throws AppError `http.bodyTooLarge`, `http.bodyTooSlow`, `http.bodyMalformed`, `http.encodingUnsupported`
 */
export async function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  { mayBeGzipped = false }: { mayBeGzipped?: boolean } = {},
): Promise<string> {
  const limit = request.routeOptions.bodyLimit;
  const isCompressed = mayBeGzipped && isGzipped(request);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  // The client went away while its token was checked. No event will say so again.
  if (payload.destroyed || request.raw.socket.destroyed) throw brokenOff();
  if (!isCompressed && hasArrived(request, payload)) return takeArrived(request, payload);
  return new Promise((resolve, reject) => {
    const held = holdBody(request, () => fail(tooSlow()));
    const gunzip = isCompressed ? createGunzip() : undefined;
    const faultOf = createChunkCheck(limit);
    let body: Buffer = noBytes;
    let length = 0;
    let received = 0;
    let isReceived = false;
    const append = (chunk: Buffer) => {
      if (length + chunk.length > limit) return fail(tooLarge(limit));
      if (length + chunk.length > body.length) {
        const before = body.length;
        body = enlarged(body, { used: length, needed: length + chunk.length, limit });
        held.grow(body.length - before);
      }
      length += chunk.copy(body, length);
    };
    const onData = (chunk: Buffer) => {
      received += chunk.length;
      const fault = faultOf(chunk);
      if (fault !== undefined) fail(fault);
      else if (gunzip === undefined) append(chunk);
    };
    const onEnd = () => {
      if (gunzip !== undefined) held.grow(-inflaterBytes);
      held.finish();
      resolve(body.toString('utf8', 0, length));
      stop();
    };
    const onBroken = (cause?: unknown) => fail(brokenOff(cause));
    const stopReceiving = () => {
      payload.off('data', onData).off('end', onReceived).off('error', onBroken).off('close', onBroken);
    };
    const onReceived = () => {
      isReceived = true;
      if (gunzip === undefined) onEnd();
      else stopReceiving();
    };
    // Gunzip ends before the body if zeros follow the last member. It calls them padding, and reads nothing after them.
    const onInflated = () => (isReceived && gunzip?.bytesWritten === received ? onEnd() : fail(goesOn()));
    const stop = () => {
      stopReceiving();
      buffers.giveBack(body);
      body = noBytes;
      if (gunzip === undefined) return;
      payload.unpipe(gunzip);
      gunzip.off('data', append).off('end', onInflated).destroy();
    };
    const fail = (error: AppError) => {
      stop();
      held.release();
      reject(error);
    };
    payload.on('data', onData).on('end', onReceived).on('error', onBroken).on('close', onBroken);
    if (gunzip !== undefined) {
      gunzip
        .on('data', append)
        .on('end', onInflated)
        .on('error', (cause) => fail(notGzip(cause)));
      payload.pipe(gunzip);
    }
    // This step is last, because it may refuse the body at once. Listeners added later would read the body without counting it.
    held.grow(requestBytes + (gunzip === undefined ? 0 : inflaterBytes));
  });
}

/** Whether the whole body came together with the headers, as short bodies do, and nobody reads it yet. */
function hasArrived({ raw, headers }: FastifyRequest, payload: IncomingMessage): boolean {
  const isWhole = raw.complete && raw.readableFlowing === null && raw.readableLength > 0;
  return payload === raw && isWhole && headers['transfer-encoding'] === undefined;
}

/** Takes a body that is in memory already. It counts like every other, but needs no listeners and no buffer. */
function takeArrived(request: FastifyRequest, payload: IncomingMessage): string {
  let isRefused = false;
  const held = holdBody(request, () => {
    isRefused = true;
  });
  held.grow(requestBytes + payload.readableLength);
  if (isRefused) throw tooSlow();
  held.finish();
  const body: Buffer = payload.read();
  return body.toString('utf8');
}

function tooSlow(): AppError {
  return new AppError(httpErrors.bodyTooSlow, { retryAfterSeconds });
}

function brokenOff(cause?: unknown): AppError {
  return new AppError(httpErrors.bodyMalformed, { detail: 'The body broke off', cause });
}

function notGzip(cause: unknown): AppError {
  return new AppError(httpErrors.bodyMalformed, { detail: 'The body is not a whole gzip text', cause });
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
