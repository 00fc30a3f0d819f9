/** One operation of a BulkRequest as it was sent (RFC 7644 section 3.7); what is wrong with it fails it alone. */
export interface BulkOperation {
  readonly method: string;
  readonly path: string;
  readonly bulkId?: string;
  readonly data?: unknown;
}

/** One operation of a BulkResponse. */
export interface BulkOperationResult {
  readonly method: string;
  readonly bulkId?: string;
  /** Absent for a POST that failed. */
  readonly location?: string;
  readonly version?: string;
  /** HTTP status of the operation. */
  readonly status: string;
  /** The SCIM error of an operation that failed. */
  readonly response?: unknown;
}

/** A BulkRequest whose envelope is in order. */
export interface BulkRequest {
  readonly operations: readonly BulkOperation[];
  /** Errors after which the rest is not run. */
  readonly failOnErrors?: number;
}

/** Whether the operation did not do what it was to do. */
export function hasFailed(result: BulkOperationResult): boolean {
  return Number(result.status) >= 400;
}

/** The identifier in `/Users/{id}`, decoded as that of a request's address is. */
export function userIdOf(path: string): string | undefined {
  const encoded = /^\/Users\/([^/?#]+)$/i.exec(path)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
