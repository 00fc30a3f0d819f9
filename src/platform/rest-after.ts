import { setTimeout as pause } from 'node:timers/promises';

/** Work that has ended: its time in milliseconds, and how much work of its kind waits. */
export interface EndedWork {
  readonly tookMs: number;
  readonly waiting: number;
}

/**
 * Makes a function that lets the place of heavy work rest while a crowd waits for it. The work of others gets the processor
 * meanwhile. Who sends one request after the other never meets a rest.
 *
 * @param rest `times` is the rest as a multiple of the time of the work, and `longestMs` its bound. A rest follows only if at
 * least `crowd` pieces of work wait.
 * @returns a function whose result is the rest, or undefined if no crowd waits
 */
export function restAfter(rest: { times: number; longestMs: number; crowd: number }) {
  return ({ tookMs, waiting }: EndedWork): Promise<void> | undefined =>
    waiting < rest.crowd ? undefined : pause(Math.min(rest.longestMs, rest.times * tookMs));
}
