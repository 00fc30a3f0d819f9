/** The source of time, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Seconds since 1970 to the millisecond: what was issued just after a revocation is told from what was before. */
export function preciseSeconds(time: Date): number {
  return time.getTime() / 1000;
}

/** Whole seconds since 1970, as JWT claims count them (RFC 7519 section 2, NumericDate). */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
