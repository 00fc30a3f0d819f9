/** What a check found. */
export interface Finding {
  readonly check: 'settings' | 'mongodb' | 'redis' | 'clock' | 'mail' | 'bucket' | 'address';
  /** `warning`: the service runs, but something is amiss. `skipped`: nothing was checked. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly text: string;
  /** What to do. Only for a warning or a failure. */
  readonly remedy?: string;
}

/** Returns the message of an error, or of what caused it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return error.message || cause || error.name;
}
