/** The source of time, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * Seconds since 1970, with milliseconds. They tell a token issued just after a revocation from one issued
 * before.
 */
export function preciseSeconds(time: Date): number {
  return time.getTime() / 1000;
}

/** Whole seconds since 1970, as in JWT claims (RFC 7519 section 2, NumericDate). */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
