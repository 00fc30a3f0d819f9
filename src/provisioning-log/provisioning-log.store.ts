import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { type EntryKind, entryKinds, type LogEntry, mostKept } from './entry.js';

/** An entry that was stored. */
export type StoredEntry = LogEntry & {
  /** Sorts by time. */
  readonly id: string;
};

interface LogQuery {
  readonly kind?: EntryKind;
  readonly status?: number;
  readonly serviceUserId?: string;
  /** Only entries before this one. */
  readonly before?: string;
  readonly limit: number;
}

/** Stores the latest requests of each organization. Each kind is a ring, so that its size is bounded without counting. */
export interface ProvisioningLogStore {
  /** Adds entries. An older entry gives its place. */
  add(entries: readonly StoredEntry[], lifeMs: number): Promise<void>;
  /** Returns entries, the latest first. */
  page(orgId: string, query: LogQuery): Promise<StoredEntry[]>;
}

type EntryDocument = Omit<LogEntry, 'at'> & {
  /** The organization, the kind and the place in the ring. */
  _id: string;
  /** The identifier of the entry, which sorts by time. */
  entryId: string;
  at: Date;
  expires: Date;
};

export const provisioningLogIndexes: CollectionIndexes = {
  collection: 'provisioningLog',
  indexes: [{ key: { orgId: 1, entryId: -1 } }, { key: { expires: 1 }, expireAfterSeconds: 0 }],
};

/** @param places Redis counts the places of each ring. If it loses a count, the ring begins anew and stays bounded */
export function createProvisioningLogStore(
  mongo: Mongo,
  places: { redis: RedisConnection; prefix: string },
): ProvisioningLogStore {
  const collection = mongo.collection<EntryDocument>('provisioningLog');

  /** Takes the next places of a ring, as many as there are entries. */
  async function takePlaces(ring: string, count: number, lifeMs: number): Promise<number> {
    const key = `${places.prefix}:provisioning-log:${ring}`;
    const last = await places.redis.incrby(key, count);
    await places.redis.pexpire(key, lifeMs);
    return last - count;
  }

  return {
    async add(entries, lifeMs) {
      const documents = await Promise.all(
        [...ringsOf(entries)].map(async ([ring, { kind, items }]) => {
          const latest = items.slice(-mostKept[kind]);
          const first = await takePlaces(ring, latest.length, lifeMs);
          return latest.map(({ id, ...entry }, index) => ({
            ...entry,
            _id: `${ring}:${(first + index) % mostKept[kind]}`,
            entryId: id,
            expires: new Date(entry.at.getTime() + lifeMs),
          }));
        }),
      );
      const writes = documents.flat().map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      }));
      if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
    },
    async page(orgId, { kind, status, serviceUserId, before, limit }) {
      const found = await collection
        .find({
          orgId,
          ...(before !== undefined && { entryId: { $lt: before } }),
          ...(kind !== undefined && { kind }),
          ...(status !== undefined && { status }),
          ...(serviceUserId !== undefined && { serviceUserId }),
        })
        .sort({ entryId: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, entryId, expires: _expires, ...entry }) => ({ ...entry, id: entryId }));
    },
  };
}

function ringsOf(entries: readonly StoredEntry[]) {
  const rings = new Map<string, { kind: EntryKind; items: StoredEntry[] }>();
  for (const entry of entries) {
    const ring = `${entry.orgId}:${entryKinds.indexOf(entry.kind)}`;
    const found = rings.get(ring) ?? { kind: entry.kind, items: [] };
    found.items.push(entry);
    rings.set(ring, found);
  }
  return rings;
}
