import { statusOfKind } from '#src/platform/error-status.js';
import type { AppError } from '#src/platform/errors.js';
import type { ScimContext } from '../operations/context.js';
import { entityTag, type VersionedResource } from '../protocol/entity-tag.js';
import { scimErrorBody } from '../protocol/render-error.js';
import { type BulkOperation, type BulkOperationResult, bulkTargetOf } from './bulk-operation.js';

/** The result of an operation that created, changed or deleted a resource. A deleted one is not given. */
export function succeeded(
  operation: BulkOperation,
  { status, location, resource }: { status: 200 | 201 | 204; location: string; resource?: VersionedResource },
): BulkOperationResult {
  return {
    ...echoed(operation),
    location,
    ...(resource !== undefined && { version: entityTag(resource) }),
    status: String(status),
  };
}

/** The result of an operation that failed, with the SCIM error (RFC 7644 section 3.7.3). */
export function failed(
  operation: BulkOperation,
  { baseUrl, plainErrors }: Pick<ScimContext, 'baseUrl' | 'plainErrors'>,
  error: AppError,
): BulkOperationResult {
  const status = statusOfKind(error.definition.kind);
  const segment = bulkTargetOf(operation.path)?.segment ?? '';
  // A path that still holds a bulkId is no address.
  const hasAddress = operation.method !== 'POST' && segment !== '' && !segment.includes(':');
  return {
    ...echoed(operation),
    ...(hasAddress && { location: `${baseUrl}${operation.path}` }),
    status: String(status),
    response: scimErrorBody(error, status, plainErrors ? 'plain' : 'extended'),
  };
}

/** The members that a result repeats from its operation. */
function echoed({ method, bulkId }: BulkOperation) {
  return { method, ...(bulkId !== undefined && { bulkId }) };
}
