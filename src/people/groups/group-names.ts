import { createLru } from '#src/platform/lru.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { GroupGeneration } from './group.js';
import type { GroupsStore } from './groups.store.js';

/** The displayNames of groups, as lists and people show them. */
export interface GroupNames {
  /** Returns the displayNames of these groups, by identifier. Unknown groups are left out. */
  of(orgId: string, ids: readonly string[]): Promise<Map<string, string>>;
}

interface Kept {
  readonly generation: GroupGeneration;
  readonly name: string;
}

const max = 10_000;

/**
 * Keeps names in memory until another generation of the groups of their organization begins, as it does with each change of a name. If a process
 * dies between a change and its message to the others, they keep the old name until the generation ends, which is at most a minute.
 */
export function createGroupNames({
  groups,
  caches,
}: {
  groups: Pick<GroupsStore, 'namesOf'>;
  caches: { readonly groupGenerations: Pick<Cache<GroupGeneration>, 'get'> };
}): GroupNames {
  const kept = createLru<Kept>({ max });
  return {
    async of(orgId, ids) {
      // Before the names are read: what changes afterwards begins another generation.
      const generation = await caches.groupGenerations.get(orgId);
      const names = new Map<string, string>();
      const missing: string[] = [];
      for (const id of ids) {
        const known = kept.get(keyOf(orgId, id));
        if (known?.generation === generation) names.set(id, known.name);
        else missing.push(id);
      }
      for (const [id, name] of await groups.namesOf(orgId, missing)) {
        names.set(id, name);
        kept.set(keyOf(orgId, id), { generation, name });
      }
      return names;
    },
  };
}

/** Neither contains a space. */
function keyOf(orgId: string, groupId: string): string {
  return `${orgId} ${groupId}`;
}
