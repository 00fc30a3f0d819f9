/** One operation of a BulkRequest as the client sent it (RFC 7644 section 3.7). It is not checked yet. */
export interface BulkOperation {
  readonly method: string;
  readonly path: string;
  readonly bulkId?: string;
  /** The version that the client expects the user to have, for PUT, PATCH and DELETE. */
  readonly version?: string;
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

/** A BulkRequest whose envelope is valid. */
export interface BulkRequest {
  readonly operations: readonly BulkOperation[];
  /** The number of errors after which the rest is not run. */
  readonly failOnErrors?: number;
}

/** Whether the operation failed. */
export function hasFailed(result: BulkOperationResult): boolean {
  return Number(result.status) >= 400;
}

/** Whether the operation creates a user: `POST /Users`. */
export function isCreation({ method, path }: Pick<BulkOperation, 'method' | 'path'>): boolean {
  return method === 'POST' && pathBelowUsers(path) === '';
}

/** The identifier in `/Users/{id}`, decoded as in the path of a request. Undefined if the path has none. */
export function userIdOf(path: string): string | undefined {
  const encoded = pathBelowUsers(path);
  if (encoded === undefined || encoded === '' || /[?#]/.test(encoded)) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The segment after `/Users/`, empty for `/Users` itself. Undefined for every other path. */
export function pathBelowUsers(path: string): string | undefined {
  const found = /^\/Users(?:\/([^/]*))?$/i.exec(path);
  return found === null ? undefined : (found[1] ?? '');
}
