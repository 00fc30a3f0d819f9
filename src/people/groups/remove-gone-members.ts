import { type EachOrganizationDeps, inEachOrganization } from '#src/organizations/index.js';
import type { GroupMembersStore } from './group-members.store.js';
import type { GroupPage } from './group-pages.store.js';
import type { GroupsStore } from './groups.store.js';
import { type DropGoneDeps, dropGone } from './require-members.js';
import { usersPerStep } from './users-per-step.js';

type RemoveGoneMembersDeps = DropGoneDeps &
  EachOrganizationDeps & {
    readonly groups: Pick<GroupsStore, 'page'>;
    readonly groupMembers: Pick<GroupMembersStore, 'page'>;
  };

const atOnce = 100;
/** One run removes about so many memberships at most. The next run goes on. */
const mostAtOnce = 100_000;

/**
 * Removes the memberships of users who are gone from every group. After a process has added a member, it looks whether the user was
 * removed meanwhile ({@link dropGone}). If it ends before that look, the membership stays. It also stays if the process that removed the user
 * did not announce that, and another process still remembered the user (`SeenUsers`).
 * @returns the number of removed memberships
 */
export async function removeGoneMembers(
  deps: RemoveGoneMembersDeps,
  { most = mostAtOnce }: { most?: number } = {},
): Promise<number> {
  let removed = 0;
  await inEachOrganization(
    deps,
    'the members of the groups of an organization were not checked',
    async (orgId) => {
      const gone = await removeFrom(deps, orgId, most - removed);
      if (gone > 0)
        deps.logger.warn({ orgId, memberships: gone }, 'memberships of users who are gone are removed');
      removed += gone;
      return removed < most;
    },
  );
  return removed;
}

/** Does so in one organization, and stops after `most` memberships. */
async function removeFrom(deps: RemoveGoneMembersDeps, orgId: string, most: number): Promise<number> {
  const sort = { field: '_id', direction: 1 } as const;
  let removed = 0;
  let last: string | undefined;
  do {
    const after = last !== undefined && { after: { value: last, id: last } };
    const { groups, more }: GroupPage = await deps.groups.page(orgId, {
      sort,
      skip: 0,
      limit: atOnce,
      ...after,
    });
    for (const { id: groupId } of groups) {
      let position: string | undefined;
      do {
        const userIds = await deps.groupMembers.page(orgId, groupId, {
          after: position,
          limit: usersPerStep,
        });
        removed += await dropGone(deps, { orgId, groupId, userIds });
        if (removed >= most) return removed;
        position = userIds.length < usersPerStep ? undefined : userIds.at(-1);
      } while (position !== undefined);
    }
    last = more ? groups.at(-1)?.id : undefined;
  } while (last !== undefined);
  return removed;
}
