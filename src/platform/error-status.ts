import type { ErrorKind } from './errors.js';

const statuses: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  requestTooSlow: 408,
  conflict: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  urlTooLong: 414,
  unsupportedMedia: 415,
  rateLimited: 429,
  headersTooLarge: 431,
  internal: 500,
  notImplemented: 501,
  unavailable: 503,
  timedOut: 504,
};

/** The HTTP status of a kind of error. It is the same in every protocol. */
export function statusOfKind(kind: ErrorKind): number {
  return statuses[kind];
}
