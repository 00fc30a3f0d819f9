/** How a request to the token endpoint ended: `issued`, or the error code of the answer. */
export type TokenOutcome = string;

/**
 * What rooms tell of what they do, for metrics. Every text given here comes from a fixed list (route patterns, grant
 * types, kinds, codes): never an identifier, an address or anything that a caller chose.
 */
export interface Measures {
  /** @param answered `route` is the pattern of the route, `seconds` from the first byte to the last */
  requestAnswered(answered: { method: string; route: string; status: number; seconds: number }): void;
  tokenAnswered(grant: string, outcome: TokenOutcome): void;
  /** A password or a one-time code was checked. */
  loginChecked(factor: 'password' | 'code', outcome: 'right' | 'wrong' | 'locked'): void;
  /** A password hash began after so long in the queue. */
  hashWaited(seconds: number): void;
  jobEnded(kind: string, ended: { outcome: 'done' | 'retry' | 'failed'; seconds: number }): void;
  recordsImported(section: string, outcome: 'created' | 'skipped' | 'failed', count: number): void;
  /** A connection of the pool to MongoDB was had after so long. */
  mongoConnectionTaken(seconds: number): void;
}
