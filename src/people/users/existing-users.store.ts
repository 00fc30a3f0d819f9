import type { Collection } from 'mongodb';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { batchReads, usualBatches } from '#src/platform/work/batcher.js';
import type { UserDocument } from './user-document.js';

/** More users than these are looked up by a query of their own. */
const fewUsers = 20;

/**
 * Returns a function that tells which of these users exist in an organization. Simultaneous calls of an organization for few users share
 * one query, unless they are in a transaction.
 */
export function createExistingUsers(
  users: Collection<UserDocument>,
): (orgId: string, ids: readonly string[], transaction?: Transaction) => Promise<Set<string>> {
  const exists = batchReads(
    async (asked: readonly { readonly orgId: string; readonly id: string }[]) => {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const found = await readExisting(users, { orgId: asked[0]?.orgId ?? '', ids });
      return ({ id }) => found.has(id);
    },
    usualBatches,
    ({ orgId }) => orgId,
  );
  return async (orgId, ids, transaction) => {
    if (ids.length === 0) return new Set();
    if (transaction !== undefined || ids.length > fewUsers)
      return readExisting(users, { orgId, ids, transaction });
    const found = await Promise.all(ids.map((id) => exists({ orgId, id })));
    return new Set(ids.filter((_id, index) => found[index]));
  };
}

async function readExisting(
  users: Collection<UserDocument>,
  {
    orgId,
    ids,
    transaction,
  }: { orgId: string; ids: readonly string[]; transaction?: Transaction | undefined },
): Promise<Set<string>> {
  const read = (options: { readonly hint?: string; readonly session?: Transaction }) =>
    users
      .find({ orgId, _id: { $in: [...ids] } }, { projection: { _id: 1 }, ...options })
      .batchSize(ids.length + 1)
      .toArray();
  // The index alone answers, so no document is read. A failed hint would end a transaction.
  const found = await (transaction ? read({ session: transaction }) : hinted(byId, read));
  return new Set(found.map(({ _id }) => _id));
}
