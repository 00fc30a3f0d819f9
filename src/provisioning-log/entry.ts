/** Whether a request of a client succeeded or failed, or had no valid token. */
export const entryKinds = ['success', 'failure', 'refused'] as const;

export type EntryKind = (typeof entryKinds)[number];

/** What decides whether a request is kept. */
export type LogPlace = Pick<LogEntry, 'orgId' | 'kind'>;

/** A SCIM request and its response. */
export interface LogEntry {
  readonly orgId: string;
  readonly at: Date;
  readonly kind: EntryKind;
  /** Absent if no service user is known. */
  readonly serviceUserId?: string;
  readonly method: string;
  /** Below the SCIM base of the organization, from {@link describePath}. */
  readonly path: string;
  /** From {@link describeQuery}. Absent without a query. */
  readonly query?: string;
  readonly status: number;
  readonly errorId?: string;
  /** Milliseconds, with one decimal. */
  readonly duration: number;
  readonly userAgent?: string;
}

/**
 * The most entries that an organization has of each kind. The latest stay. Strangers can cause entries of the kind `refused`, so
 * these are few.
 */
export const mostKept: Readonly<Record<EntryKind, number>> = { success: 1_500, failure: 3_000, refused: 500 };
