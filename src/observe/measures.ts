/** The result of a request to the token endpoint: `issued`, or the error code of the response. */
type TokenOutcome = string;

/**
 * What rooms report for metrics. Every text comes from a fixed list (route patterns, grant types, kinds,
 * codes). It is never an identifier, an address or anything that a caller chose.
 */
export interface Measures {
  /** @param answered `route` is the pattern of the route, `seconds` from the first byte to the last */
  requestAnswered(answered: { method: string; route: string; status: number; seconds: number }): void;
  tokenAnswered(grant: string, outcome: TokenOutcome): void;
  /**
   * Counts a request that exceeded a limit and was refused. A request that exceeds several limits counts for
   * each. `refused` is the limit of an address whose requests end in 401.
   */
  requestLimited(limit: 'address' | 'refused' | 'client' | 'organization' | 'person'): void;
  /** Counts that workers were told to give way to requests. */
  requestsLate(): void;
  /**
   * Counts work that was refused under load. `hash`, `key-pair` and `thread` (signatures and compression) waited for a thread in
   * too long a queue, and `change` for the share that an organization has of the connections to MongoDB.
   */
  workShed(kind: 'list' | 'bulk' | 'migration' | 'sign-in' | 'hash' | 'key-pair' | 'thread' | 'change'): void;
  /**
   * Counts a connection that was closed because its client did not read its response: the memory for responses was `full`, or the
   * response had `stalled` for too long.
   */
  responseCutOff(reason: 'full' | 'stalled'): void;
  /** Counts a check of a password, a one-time code or a passkey. */
  loginChecked(factor: 'password' | 'code' | 'passkey', outcome: 'right' | 'wrong' | 'locked'): void;
  /** Counts a sign-in by a connection: `signedIn`, or why it was refused. */
  connectionUsed(outcome: string): void;
  /** Records a request to an outside provider. `document` is its metadata or UserInfo. */
  providerAnswered(
    request: 'document' | 'token' | 'keys',
    answered: { outcome: 'answered' | 'failed'; seconds: number },
  ): void;
  /** Records how long a password hash waited in the queue. */
  hashWaited(seconds: number): void;
  jobEnded(kind: string, ended: { outcome: 'done' | 'retry' | 'failed'; seconds: number }): void;
  recordsImported(
    section: string,
    outcome: 'created' | 'updated' | 'skipped' | 'failed',
    count: number,
  ): void;
  /** Records how long a request waited for a connection of the pool to MongoDB. */
  mongoConnectionTaken(seconds: number): void;
}
