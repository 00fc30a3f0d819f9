import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { createGroup, deleteGroup, patchGroup, replaceGroup } from '../operations/change-group.js';
import { requirePermission, type ScimContext, type ScimDeps } from '../operations/context.js';
import { deleteUser } from '../operations/delete-user.js';
import { patchUser } from '../operations/patch-user.js';
import { replaceUser } from '../operations/replace-user.js';
import { readEntityTags, type VersionedResource } from '../protocol/entity-tag.js';
import { groupLocation } from '../resources/render-group.js';
import { userLocation } from '../resources/render-user.js';
import { type BulkOperation, type BulkOperationResult, bulkTargetOf } from './bulk-operation.js';
import { succeeded } from './bulk-result.js';
import { bulkErrors } from './errors.js';

/** Writes the result of an operation in the transaction of the change. */
type Recorder = (result: BulkOperationResult, transaction: Transaction) => Promise<void>;

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Runs one operation of a Bulk request other than the creation of a user, in a transaction of its own.
 * @param record writes the result in the transaction of the change
 * @throws AppError the error that the same request outside a Bulk would get
 */
export async function runOperation(
  deps: ScimDeps,
  context: ScimContext,
  { operation, record }: { operation: BulkOperation; record: Recorder },
): Promise<void> {
  const { method, path, data } = operation;
  if (!methods.has(method)) throw new AppError(bulkErrors.methodUnsupported);
  const target = bulkTargetOf(path);
  const creates = method === 'POST' && target?.type === 'Group' && target.segment === '';
  if (target === undefined || (!creates && (method === 'POST' || target.id === undefined)))
    throw new AppError(bulkErrors.pathUnsupported);
  requirePermission(context, method === 'DELETE' ? 'user.delete' : 'user.write');
  if (method !== 'DELETE' && data === undefined) throw new AppError(bulkErrors.dataMissing);
  const { type, id = '' } = target;
  await (type === 'User' ? runOnUser : runOnGroup)(deps, context, { operation, id, record });
}

interface Run {
  readonly operation: BulkOperation;
  /** Empty for a creation. */
  readonly id: string;
  readonly record: Recorder;
}

async function runOnUser(
  deps: ScimDeps,
  context: ScimContext,
  { operation, id, record }: Run,
): Promise<void> {
  const location = userLocation(id, context.baseUrl);
  const expected = readEntityTags(operation.version);
  const { method, data: body } = operation;
  if (method === 'DELETE') {
    await deleteUser(deps, context, {
      id,
      expected,
      alongside: (transaction) => record(succeeded(operation, { status: 204, location }), transaction),
    });
    return;
  }
  const [run, status] = method === 'PUT' ? ([replaceUser, 200] as const) : ([patchUser, 204] as const);
  await run(deps, context, {
    id,
    body,
    expected,
    alongside: (transaction, resource) =>
      record(succeeded(operation, { status, location, resource }), transaction),
  });
}

async function runOnGroup(
  deps: ScimDeps,
  context: ScimContext,
  { operation, id, record }: Run,
): Promise<void> {
  const expected = readEntityTags(operation.version);
  const { method, data: body } = operation;
  if (method === 'DELETE') {
    const location = groupLocation(id, context.baseUrl);
    await deleteGroup(deps, context, {
      id,
      expected,
      alongside: (transaction) => record(succeeded(operation, { status: 204, location }), transaction),
    });
    return;
  }
  const recorded =
    (status: 200 | 201 | 204) => (transaction: Transaction, group: VersionedResource & { id: string }) => {
      const location = groupLocation(group.id, context.baseUrl);
      return record(succeeded(operation, { status, location, resource: group }), transaction);
    };
  if (method === 'POST') await createGroup(deps, context, { body, alongside: recorded(201) });
  else if (method === 'PUT')
    await replaceGroup(deps, context, { id, body, expected, alongside: recorded(200) });
  else await patchGroup(deps, context, { id, body, expected, alongside: recorded(204) });
}
