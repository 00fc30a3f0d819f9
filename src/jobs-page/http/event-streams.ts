import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { withoutTraces } from '#src/http/pages/html.js';
import { AppError } from '#src/platform/errors.js';
import { jobsPageErrors } from '../errors.js';

/** Server-sent events. A process keeps a limited number of streams open, and none after it begins to close. */
export interface EventStreams {
  /**
   * Sends the result of `read`, and again each time it has changed. The stream ends when the client is gone, the process
   * closes or `read` returns undefined.
   * @throws AppError `operations.tooManyStreams`
   */
  send(reply: FastifyReply, read: () => Promise<string | undefined>): FastifyReply;
}

const everyMs = 2_000;
/** After so many rounds without a change a comment is sent, so that proxies do not close a silent connection. */
const silentRounds = 10;

/** @param limit the number of streams that may be open at once */
export function createEventStreams(app: FastifyInstance, limit: number): EventStreams {
  const closing = new AbortController();
  let open = 0;
  app.addHook('preClose', async () => closing.abort());

  async function* events(
    read: () => Promise<string | undefined>,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    let sent: string | undefined;
    let silent = 0;
    while (!signal.aborted) {
      const present = await read();
      if (present === undefined) return;
      if (present !== sent) {
        yield `data: ${JSON.stringify(present)}\n\n`;
        sent = present;
        silent = 0;
      } else if (++silent % silentRounds === 0) {
        yield ':\n\n';
      }
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    send(reply, read) {
      if (open >= limit || closing.signal.aborted) {
        const detail = `This process sends updates to ${limit} open pages at most, or it is ending; try again shortly`;
        throw new AppError(jobsPageErrors.tooManyStreams, { detail, retryAfterSeconds: 30 });
      }
      open++;
      const gone = new AbortController();
      reply.raw.once('close', () => {
        open--;
        gone.abort();
      });
      const signal = AbortSignal.any([closing.signal, gone.signal]);
      return withoutTraces(reply)
        .header('x-accel-buffering', 'no')
        .type('text/event-stream; charset=utf-8')
        .send(Readable.from(events(read, signal), { objectMode: false }));
    },
  };
}
