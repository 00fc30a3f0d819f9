import { type AssignmentsStore, removalEvents } from '#src/access/projects/index.js';
import type { Editor } from '#src/audit/event.js';
import { newEvents } from '#src/audit/new-event.js';
import { compareAndSwap, directoryErrors, factsAskedBy } from '#src/directory/index.js';
import type { OrganizationsStore } from '#src/organizations/index.js';
import {
  announceGroups,
  announceMembers,
  type ChangeGroupDeps,
  type CheckGroupRoles,
  type CheckLostRoles,
  type Group,
  membersOf,
  usersPerStep,
} from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';

type RemoveGroupDeps = ChangeGroupDeps & {
  readonly groupGrants: Pick<AssignmentsStore, 'removeAll'>;
  readonly organizations: Pick<OrganizationsStore, 'find'>;
};

/**
 * Removes a group with its memberships and its grants. It cannot be restored. If it has more than 1,000 members, those beyond are removed first.
 * A group that the sign-in policy names stays: a demand would otherwise end without a word.
 * @throws AppError `directory.groupNotFound`, `directory.groupNamedByPolicy`, `directory.changing`, and the errors of `afterLoss`
 */
export async function removeGroup(
  deps: RemoveGroupDeps,
  request: {
    readonly orgId: string;
    readonly id: string;
    readonly editor: Editor;
    readonly beforeChange?: CheckGroupRoles | undefined;
    /** Called with the roles that members lose. Throws if somebody must keep one. */
    readonly afterLoss?: CheckLostRoles | undefined;
    /** Called with the group that is removed. Throws if the caller expects another one. */
    readonly precondition?: ((current: Group) => void) | undefined;
    /** Makes further writes in the same transaction. */
    readonly alongside?: ((transaction: Transaction) => Promise<void>) | undefined;
  },
): Promise<void> {
  const { orgId, id, editor, beforeChange, afterLoss, precondition, alongside } = request;
  const { groups, groupMembers, groupGrants, events, mongo, clock } = deps;
  await compareAndSwap(['group', id, editor.userId], async () => {
    const current = await groups.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.groupNotFound);
    await beforeChange?.(current.roles ?? []);
    precondition?.(current);
    await requireUnnamed(deps, request);
    const holdsRoles = current.roles !== undefined;
    let rest = await groupMembers.page(orgId, id, { limit: usersPerStep });
    while (rest.length === usersPerStep) {
      const holdsRolesNow = await removeSome(deps, { orgId, id, userIds: rest, beforeChange, afterLoss });
      await announceMembers(deps, { orgId, userIds: rest, holdsRoles: holdsRolesNow });
      rest = await groupMembers.page(orgId, id, { limit: usersPerStep });
    }
    const removed = await mongo.transactionOf(orgId, async (transaction) => {
      const { version: expectedVersion, displayName } = current;
      if (!(await groups.remove(orgId, { id, expectedVersion }, transaction))) return undefined;
      // A policy locks the groups that it names, so no other one can name this group any more.
      await requireUnnamed(deps, request, transaction);
      await groupMembers.remove(orgId, membersOf(id, rest), transaction);
      if (current.roles !== undefined) await afterLoss?.(current.roles, transaction);
      const date = clock.now();
      const last = { ...current, version: expectedVersion + 1, lastModified: date };
      const grants = await groupGrants.removeAll(orgId, { holderIds: [id] }, transaction);
      const happened = [['group.removed', { displayName }]] as const;
      await events.append(
        [
          ...newEvents('group', last, { happened, editor }),
          ...removalEvents('groupGrant', grants, { editor, date }),
        ],
        transaction,
      );
      await alongside?.(transaction);
      return last;
    });
    if (removed !== undefined) await announceGroups(deps, orgId);
    if (removed !== undefined) await announceMembers(deps, { orgId, userIds: rest, holdsRoles });
    return removed;
  });
}

/** @throws AppError `directory.groupNamedByPolicy` */
async function requireUnnamed(
  { organizations }: Pick<RemoveGroupDeps, 'organizations'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  transaction?: Transaction,
): Promise<void> {
  const policy = (await organizations.find(orgId, transaction))?.signInPolicy;
  if (factsAskedBy(policy).groups.includes(id)) throw new AppError(directoryErrors.groupNamedByPolicy);
}

/** Removes members of a group that is about to go. Returns whether the group holds roles. */
async function removeSome(
  { mongo, groups, groupMembers, clock }: RemoveGroupDeps,
  {
    orgId,
    id,
    userIds,
    beforeChange,
    afterLoss,
  }: Pick<Parameters<typeof removeGroup>[1], 'id' | 'beforeChange' | 'afterLoss'> & {
    orgId: string;
    userIds: readonly string[];
  },
): Promise<boolean> {
  return mongo.transactionOf(orgId, async (transaction) => {
    const held = await groups.advance(orgId, { id, by: 0, date: clock.now() }, transaction);
    if (held === undefined) throw new AppError(directoryErrors.groupNotFound);
    await beforeChange?.(held.roles);
    await groupMembers.remove(orgId, membersOf(id, userIds), transaction);
    if (held.roles.length > 0) await afterLoss?.(held.roles, transaction);
    return held.roles.length > 0;
  });
}
