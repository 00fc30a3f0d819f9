import type { Logger } from '#src/platform/logger.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { OrganizationsStore } from '../organizations/organizations.store.js';
import type { GroupMembersStore } from './group-members.store.js';
import type { GroupPage, GroupsStore } from './groups.store.js';
import { type DropGoneDeps, dropGone } from './require-members.js';
import { usersPerStep } from './users-per-step.js';

export type RemoveGoneMembersDeps = DropGoneDeps & {
  readonly organizations: Pick<OrganizationsStore, 'page'>;
  readonly groups: Pick<GroupsStore, 'page'>;
  readonly groupMembers: Pick<GroupMembersStore, 'page'>;
  readonly logger: Logger;
};

const atOnce = 100;
/** One run removes about so many memberships at most. The next run goes on. */
const mostAtOnce = 100_000;

/**
 * Removes the memberships of users who are gone from every group. Such a membership stays if a process ends after it has added
 * a member, and before it has looked whether the user was removed meanwhile ({@link dropGone}).
 * @returns the number of removed memberships
 */
export async function removeGoneMembers(
  deps: RemoveGoneMembersDeps,
  { most = mostAtOnce }: { most?: number } = {},
): Promise<number> {
  const { organizations, logger } = deps;
  let removed = 0;
  let after: string | undefined;
  for (;;) {
    const page = await organizations.page({ ...(after !== undefined && { after }), limit: atOnce });
    for (const { id: orgId } of page) {
      try {
        const gone = await removeFrom(deps, orgId, most - removed);
        if (gone > 0)
          logger.warn({ orgId, memberships: gone }, 'memberships of users who are gone are removed');
        removed += gone;
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        logger.error({ err: error, orgId }, 'the members of the groups of an organization were not checked');
      }
      if (removed >= most) return removed;
    }
    after = page.at(-1)?.id;
    if (page.length < atOnce) return removed;
  }
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
