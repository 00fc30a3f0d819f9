import { createLru } from '#src/platform/lru.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { UsersStore } from './users.store.js';

/**
 * Tells which users exist. A process remembers a user whom it has found, with the stamp that the user had before. While the revocation list
 * has the same stamp, nobody has announced a removal of the user, and MongoDB is not asked.
 */
export interface SeenUsers {
  /** Returns those of these users who exist. A user whose removal was announced is not among them. */
  existing(orgId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `RevocationList.restamp`, after a change that removes none of these users. Those who are remembered stay so. */
  restamp(...ids: string[]): Promise<void>;
}

interface Known {
  readonly orgId: string;
  /** Replaced in place, so that the time to live does not begin anew. */
  stamp: string;
}

const max = 10_000;
/**
 * How long a user is remembered after MongoDB was asked, in milliseconds. It matters if the process that removed the user ended between the
 * commit and the announcement.
 */
const ttl = 60_000;
/** The stamps of more users are not read, because one query of MongoDB costs less. */
const fewUsers = 20;
/** No identifier of a user has more characters (`addressable` of the import). Redis must not get a longer one as a key. */
const longestId = 200;

export function createSeenUsers({
  users,
  revocations,
}: {
  users: Pick<UsersStore, 'existing'>;
  revocations: Pick<RevocationList, 'stampOf' | 'restamp' | 'renewStamps'>;
}): SeenUsers {
  const known = createLru<Known>({ max, ttl });

  /** Undefined while Redis does not answer. */
  const stampOf = (id: string) => revocations.stampOf(id).catch(() => undefined);

  return {
    async existing(orgId, named) {
      const ids = named.filter((id) => id.length <= longestId);
      if (ids.length > fewUsers) return users.existing(orgId, ids);
      const stamps = new Map(await Promise.all(ids.map(async (id) => [id, await stampOf(id)] as const)));
      const isKnown = (id: string) => {
        const one = known.get(id);
        return one !== undefined && one.orgId === orgId && one.stamp === stamps.get(id);
      };
      const existing = new Set(ids.filter(isKnown));
      const asked = ids.filter((id) => !existing.has(id));
      for (const id of await users.existing(orgId, asked)) {
        existing.add(id);
        // The stamp was read before the user, so a removal after the read gives the user another one.
        const stamp = stamps.get(id);
        if (stamp !== undefined) known.set(id, { orgId, stamp });
      }
      return existing;
    },

    async restamp(...ids) {
      const others = ids.filter((id) => !known.has(id));
      const remembered = ids.filter((id) => known.has(id));
      const [renewed] = await Promise.all([
        revocations.renewStamps(...remembered),
        revocations.restamp(...others),
      ]);
      for (const [id, { before, after }] of renewed) {
        const one = known.get(id);
        if (one?.stamp === before) one.stamp = after;
      }
    },
  };
}
