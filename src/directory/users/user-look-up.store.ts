import type { Collection, Filter } from 'mongodb';
import { gatherReads } from '#src/platform/gather.js';

/** Identifies at most one user by the value of a field that is unique in an organization. */
export interface UserKey {
  readonly orgId: string;
  readonly value: string;
}

/**
 * Returns a function that finds users by a field that is unique in an organization. It combines simultaneous calls into
 * one query.
 * @param read returns the value of the field in a document
 */
export function createUserLookUp<T extends { _id: string; orgId: string }>(
  users: Collection<T>,
  {
    field,
    read,
    projection,
  }: { field: string; read: (document: T) => string; projection: Record<string, 0> },
): (key: UserKey) => Promise<T | undefined> {
  return gatherReads(async (keys: readonly UserKey[]) => {
    const [first] = keys;
    const organizations = [...new Set(keys.map(({ orgId }) => orgId))];
    const where =
      first !== undefined && keys.length === 1
        ? { [field]: first.value, orgId: first.orgId }
        : { [field]: { $in: keys.map(({ value }) => value) }, orgId: { $in: organizations } };
    const most = keys.length * organizations.length;
    const found = await users
      .find<T>(where as Filter<T>, { projection })
      .limit(most)
      .batchSize(most + 1)
      .toArray();
    const byValue = new Map<string, T[]>();
    for (const document of found) {
      const value = read(document);
      byValue.set(value, [...(byValue.get(value) ?? []), document]);
    }
    return ({ orgId, value }) => byValue.get(value)?.find((document) => document.orgId === orgId);
  });
}
