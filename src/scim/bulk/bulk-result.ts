import { statusOfKind } from '#src/platform/error-status.js';
import type { AppError } from '#src/platform/errors.js';
import { scimErrorBody } from '../protocol/render-error.js';
import type { BulkOperation, BulkOperationResult } from './bulk-operation.js';

/** The result of an operation that made or changed a user, or removed it (then without version). */
export function succeeded(
  operation: BulkOperation,
  { status, location, version }: { status: 200 | 201 | 204; location: string; version?: number },
): BulkOperationResult {
  return {
    ...echoed(operation),
    location,
    ...(version !== undefined && { version: String(version) }),
    status: String(status),
  };
}

/** The result of an operation that failed, with the SCIM error (RFC 7644 section 3.7.3). */
export function failed(operation: BulkOperation, baseUrl: string, error: AppError): BulkOperationResult {
  const status = statusOfKind(error.definition.kind);
  // A path that still holds a bulkId is no address.
  const addressed = operation.method !== 'POST' && /^\/Users\/[^/:]+$/i.test(operation.path);
  return {
    ...echoed(operation),
    ...(addressed && { location: `${baseUrl}${operation.path}` }),
    status: String(status),
    response: scimErrorBody(error, status),
  };
}

function echoed({ method, bulkId }: BulkOperation) {
  return { method, ...(bulkId !== undefined && { bulkId }) };
}
