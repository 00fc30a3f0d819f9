/** The source of time, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds since 1970, as JWT claims count them (RFC 7519 section 2, NumericDate). */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
