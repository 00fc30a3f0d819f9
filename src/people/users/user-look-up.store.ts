import type { Collection, Filter } from 'mongodb';
import { pacedBy, quickBytes, readPaced } from '#src/platform/mongo/paced-reads.js';
import { batchReads } from '#src/platform/work/batcher.js';
import { eventLoop } from '#src/platform/work/loop-scheduler.js';

/** Identifies at most one user by the value of a field that is unique in an organization. */
interface UserKey {
  readonly orgId: string;
  readonly value: string;
}

/**
 * Returns a function that finds users by a field that is unique in an organization. It combines simultaneous calls into
 * one query. If that reads many bytes, the callers go on in different turns of the event loop.
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
  const find = batchReads(async (keys: readonly UserKey[]) => {
    const [first] = keys;
    const organizations = [...new Set(keys.map(({ orgId }) => orgId))];
    const where =
      first !== undefined && keys.length === 1
        ? { [field]: first.value, orgId: first.orgId }
        : { [field]: { $in: keys.map(({ value }) => value) }, orgId: { $in: organizations } };
    const most = keys.length * organizations.length;
    let isHeavy = false;
    const pace = pacedBy(undefined, quickBytes, ({ bytes }) => {
      isHeavy ||= bytes > quickBytes;
    });
    const open = (raw: { readonly raw: true }) =>
      users
        .find<T>(where as Filter<T>, { projection, ...raw })
        .limit(most)
        .batchSize(most + 1);
    const found = await readPaced(open, pace);
    const byValue = new Map<string, T[]>();
    for (const document of found) {
      const value = read(document);
      byValue.set(value, [...(byValue.get(value) ?? []), document]);
    }
    return ({ orgId, value }) => {
      const document = byValue.get(value)?.find((document) => document.orgId === orgId);
      return document && { document, isHeavy };
    };
  });
  return async (key) => {
    const found = await find(key);
    // What the callers do with the users would otherwise be one turn of the event loop.
    if (found?.isHeavy) await eventLoop.begin().turn();
    return found?.document;
  };
}
