/** One operation of a BulkRequest as the client sent it (RFC 7644 section 3.7). It is not checked yet. */
export interface BulkOperation {
  readonly method: string;
  readonly path: string;
  readonly bulkId?: string;
  /** The version that the client expects the resource to have, for PUT, PATCH and DELETE. */
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
export function isUserCreation({ method, path }: Pick<BulkOperation, 'method' | 'path'>): boolean {
  const target = bulkTargetOf(path);
  return method === 'POST' && target?.type === 'User' && target.segment === '';
}

/** What the path of an operation names. */
interface BulkTarget {
  readonly type: 'User' | 'Group';
  /** The segment after `/Users/` or `/Groups/` as it was sent. Empty for the endpoint itself. */
  readonly segment: string;
  /** The segment, decoded as in the path of a request. Undefined if it is empty or cannot be decoded. */
  readonly id: string | undefined;
}

/** Reads `/Users`, `/Users/{id}` and the same for groups. Undefined for every other path. */
export function bulkTargetOf(path: string): BulkTarget | undefined {
  const found = /^\/(User|Group)s(?:\/([^/]*))?$/i.exec(path);
  if (found === null) return undefined;
  const [, word = '', segment = ''] = found;
  return { type: word.toLowerCase() === 'user' ? 'User' : 'Group', segment, id: decoded(segment) };
}

function decoded(segment: string): string | undefined {
  if (segment === '' || /[?#]/.test(segment)) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
