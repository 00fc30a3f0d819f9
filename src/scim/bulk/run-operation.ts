import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { requirePermission, type ScimContext, type ScimDeps } from '../operations/context.js';
import { deleteUser } from '../operations/delete-user.js';
import { patchUser } from '../operations/patch-user.js';
import { replaceUser } from '../operations/replace-user.js';
import { readEntityTags } from '../protocol/entity-tag.js';
import { userLocation } from '../resources/render-user.js';
import { type BulkOperation, type BulkOperationResult, userIdOf } from './bulk-operation.js';
import { succeeded } from './bulk-result.js';
import { bulkErrors } from './errors.js';

/**
 * Runs one PUT, PATCH or DELETE of a Bulk request in a transaction of its own.
 * @param record writes the result in the transaction of the change
 * @throws AppError the error that the same request outside a Bulk would get
 */
export async function runOperation(
  deps: ScimDeps,
  context: ScimContext,
  request: {
    operation: BulkOperation;
    record: (result: BulkOperationResult, transaction: Transaction) => Promise<void>;
  },
): Promise<void> {
  const { operation, record } = request;
  const { method, path, version: expectedVersion, data } = operation;
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw new AppError(bulkErrors.methodUnsupported);
  const id = userIdOf(path);
  if (method === 'POST' || id === undefined) throw new AppError(bulkErrors.pathUnsupported);
  requirePermission(context, method === 'DELETE' ? 'user.delete' : 'user.write');
  const location = userLocation(id, context.baseUrl);
  const expected = readEntityTags(expectedVersion);
  if (method === 'DELETE') {
    await deleteUser(deps, context, {
      id,
      expected,
      alongside: (transaction) => record(succeeded(operation, { status: 204, location }), transaction),
    });
    return;
  }
  if (data === undefined) throw new AppError(bulkErrors.dataMissing);
  const [run, status] = method === 'PUT' ? ([replaceUser, 200] as const) : ([patchUser, 204] as const);
  await run(deps, context, {
    id,
    body: data,
    expected,
    alongside: (transaction, { version }) =>
      record(succeeded(operation, { status, location, version }), transaction),
  });
}
