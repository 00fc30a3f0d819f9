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
  /**
   * A request exceeded a limit and was refused; one that exceeds several is told for each. `refused` is the limit of
   * an address whose requests end in 401.
   */
  requestLimited(limit: 'address' | 'refused' | 'client' | 'organization'): void;
  /** Work was refused because there is too much; `hash` is a password hash that the queue had no place for. */
  workShed(kind: 'list' | 'bulk' | 'migration' | 'sign-in' | 'hash'): void;
  /** A password or a one-time code was checked. */
  loginChecked(factor: 'password' | 'code', outcome: 'right' | 'wrong' | 'locked'): void;
  /** A password hash began after so long in the queue. */
  hashWaited(seconds: number): void;
  jobEnded(kind: string, ended: { outcome: 'done' | 'retry' | 'failed'; seconds: number }): void;
  recordsImported(section: string, outcome: 'created' | 'skipped' | 'failed', count: number): void;
  /** A connection of the pool to MongoDB was had after so long. */
  mongoConnectionTaken(seconds: number): void;
}
