import { keptChanges } from '#src/audit/changes.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvents } from '#src/audit/new-event.js';
import { compareAndSwap, directoryErrors, orConflict } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { SeenUsers } from '../users/seen-users.js';
import type { UsersStore } from '../users/users.store.js';
import { applySteps, requireGroup } from './apply-steps.js';
import type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
import { changesMembers, type Group, type GroupProfile, type MemberDelta, namesMembers } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import { normalizeGroup } from './group-rules.js';
import type { GroupsStore } from './groups.store.js';
import { type MemberStep, memberSteps } from './member-steps.js';
import { dropRemoved, requireMembers } from './require-members.js';
import { type AnnounceDeps, announceGroups, announceMembers } from './user-groups.js';
import type { WriteMembers } from './write-members.js';

export interface ChangeGroupDeps extends AnnounceDeps {
  readonly mongo: Mongo;
  readonly groups: GroupsStore;
  readonly groupMembers: GroupMembersStore;
  readonly writeMembers: WriteMembers;
  readonly users: Pick<UsersStore, 'existing'>;
  readonly seenUsers: SeenUsers;
  readonly events: EventsStore;
  readonly clock: Clock;
}

interface ChangeGroupRequest {
  readonly orgId: string;
  readonly id: string;
  readonly editor: Editor;
  /** Absent if only members change. Pure. If another caller changes the group meanwhile, it runs again. */
  readonly profile?: ((current: Group) => GroupProfile) | undefined;
  readonly delta: MemberDelta;
  readonly beforeChange?: CheckGroupRoles | undefined;
  readonly afterLoss?: CheckLostRoles | undefined;
  /** Called with the group that the change replaces. Throws if the caller expects another one. */
  readonly precondition?: ((current: Group) => void) | undefined;
  /** Makes further writes in the last transaction. */
  readonly alongside?: ((transaction: Transaction, group: Group) => Promise<void>) | undefined;
}

/**
 * Changes a group and its members. All new members are checked before anything is written. The attributes and up to 1,000
 * members are one transaction. Further members follow, 1,000 at a time. A change of members alone does not read the group, and
 * simultaneous ones are written together. If `beforeChange` refuses a later transaction, what the earlier ones wrote stays.
 * @throws AppError `directory.groupNotFound`, `directory.groupNameTaken`, `directory.memberUnknown`, `directory.changing`, and
 * the errors of {@link normalizeGroup}
 */
export async function changeGroup(deps: ChangeGroupDeps, request: ChangeGroupRequest): Promise<void> {
  const { orgId, id, editor, profile, delta, beforeChange, afterLoss, precondition, alongside } = request;
  const isOfMembers = profile === undefined && precondition === undefined && alongside === undefined;
  const mayChange = () => requireGroup(deps, { orgId, groupId: id, beforeChange });
  // Further below the group is asked for again, unless there is no step.
  if (isOfMembers && !namesMembers(delta)) await mayChange();
  await requireMembers(deps, orgId, delta.added).catch(async (unknown) => {
    await mayChange();
    throw unknown;
  });
  if (isOfMembers) {
    for await (const step of memberSteps(deps, { orgId, groupId: id, delta })) {
      await deps.writeMembers({ ...step, orgId, groupId: id, editor, beforeChange, afterLoss });
      await dropRemoved(deps, { orgId, groupId: id, userIds: step.added });
    }
    return;
  }
  await compareAndSwap(['group', id, editor.userId], async () => {
    const current = await deps.groups.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.groupNotFound);
    await beforeChange?.(current.roles ?? []);
    precondition?.(current);
    const { group, attributes } = changed(deps, current, profile);
    if (attributes.length === 0 && !changesMembers(delta) && alongside === undefined) return current;
    const written = await writeSteps(deps, {
      group,
      editor,
      delta,
      beforeChange,
      afterLoss,
      first: async (transaction) => {
        if (attributes.length === 0) return isStill(deps, current, transaction);
        const change = { group, expectedVersion: current.version };
        if (!(await deps.groups.replace(orgId, change, transaction))) return false;
        const happened = [
          ['group.changed', { attributes, ...keptChanges(current, group, attributes) }],
        ] as const;
        await deps.events.append(newEvents('group', group, { happened, editor }), transaction);
        return true;
      },
      alongside,
    }).catch(orConflict(directoryErrors.groupNameTaken));
    if (written !== undefined && attributes.includes('displayName')) await announceGroups(deps, orgId);
    return written;
  });
}

/** Holds the group, if it has the version that was read, without a change. */
async function isStill(
  { groups }: Pick<ChangeGroupDeps, 'groups'>,
  { orgId, id, version: expectedVersion, lastModified: date }: Group,
  transaction: Transaction,
): Promise<boolean> {
  return (await groups.advance(orgId, { id, by: 0, date, expectedVersion }, transaction)) !== undefined;
}

function changed(
  { clock }: Pick<ChangeGroupDeps, 'clock'>,
  current: Group,
  profile: ChangeGroupRequest['profile'],
): { group: Group; attributes: ('displayName' | 'externalId')[] } {
  if (profile === undefined) return { group: current, attributes: [] };
  const next = normalizeGroup(profile(current));
  const attributes = (['displayName', 'externalId'] as const).filter((name) => next[name] !== current[name]);
  if (attributes.length === 0) return { group: current, attributes };
  const { externalId: _externalId, ...rest } = current;
  return {
    group: { ...rest, ...next, version: current.version + 1, lastModified: clock.now() },
    attributes,
  };
}

/**
 * Writes a group and the steps of its members.
 * @param request `first` writes the group in the first transaction, and returns false if another caller changed it
 * @returns the group afterwards; undefined if `first` returned false
 */
export async function writeSteps(
  deps: ChangeGroupDeps,
  request: {
    readonly group: Group;
    readonly editor: Editor;
    readonly delta: MemberDelta;
    readonly beforeChange?: CheckGroupRoles | undefined;
    readonly afterLoss?: CheckLostRoles | undefined;
    readonly first: (transaction: Transaction) => Promise<boolean>;
    /** Called after the commit of the first transaction. Never fails. */
    readonly written?: () => Promise<void>;
    readonly alongside?: ((transaction: Transaction, group: Group) => Promise<void>) | undefined;
  },
): Promise<Group | undefined> {
  const { group, editor, delta, beforeChange, afterLoss, first, alongside } = request;
  const { orgId, id: groupId } = group;
  const steps = memberSteps(deps, { orgId, groupId, delta });
  let next = await steps.next();
  let latest = group;
  for (let isFirst = true; ; isFirst = false) {
    const step: MemberStep = next.done ? { removed: [], added: [] } : next.value;
    if (!next.done) next = await steps.next();
    const isLast = next.done === true;
    const written = await deps.mongo.transactionOf(orgId, async (transaction) => {
      if (isFirst && !(await first(transaction))) return undefined;
      const isEmpty = step.added.length + step.removed.length === 0;
      const target = { orgId, groupId, steps: [{ ...step, editor }], beforeChange, afterLoss };
      const applied = isEmpty ? undefined : await applySteps(deps, target, transaction);
      const { version, lastModified } = applied ?? latest;
      const current = { ...latest, version, lastModified };
      if (isLast) await alongside?.(transaction, current);
      return { current, applied };
    });
    if (written === undefined) return undefined;
    latest = written.current;
    if (isFirst) await request.written?.();
    if (written.applied !== undefined) await announceMembers(deps, { orgId, ...written.applied });
    await dropRemoved(deps, { orgId, groupId, userIds: step.added });
    if (isLast) return latest;
  }
}
