import { setTimeout as pause } from 'node:timers/promises';

/** Work that has ended: its time in milliseconds, and how much work of its kind waits. */
export interface EndedWork {
  readonly tookMs: number;
  readonly waiting: number;
}

/**
 * Makes a function that lets the permit of heavy work rest while a crowd waits for it. The work of others gets the processor
 * meanwhile. Who sends one request after the other never meets a rest.
 *
 * @param rest `times` is the rest as a multiple of the time of the work, and `longestMs` its bound. It can be a function, because it may
 * depend on how busy the process is. A rest follows only if at least `crowd` pieces of work wait.
 * @returns a function whose result is the rest, or undefined if no crowd waits
 */
export function createCoolDown(rest: { times: number | (() => number); longestMs: number; crowd: number }) {
  const times = () => (typeof rest.times === 'number' ? rest.times : rest.times());
  return ({ tookMs, waiting }: EndedWork): Promise<void> | undefined => {
    const ms = Math.min(rest.longestMs, times() * tookMs);
    return waiting < rest.crowd || ms < 1 ? undefined : pause(ms);
  };
}
