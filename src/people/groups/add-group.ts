import type { Editor } from '#src/audit/event.js';
import { newEvents } from '#src/audit/new-event.js';
import { directoryErrors, orConflict } from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import { newId } from '#src/platform/ids.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type ChangeGroupDeps, writeSteps } from './change-group.js';
import type { CheckGroupRoles } from './check-group-roles.js';
import type { Group, GroupProfile } from './group.js';
import { normalizeGroup } from './group-rules.js';
import { requireMembers } from './require-members.js';
import { announceGroups } from './user-groups.js';

/**
 * Adds a group with its members. One transaction writes the group and up to 1,000 members. Further members follow.
 * @throws AppError `directory.groupNameTaken`, `directory.memberUnknown`, `directory.quotaExceeded`, `directory.valueInvalid`,
 * `directory.valueMissing`
 */
export async function addGroup(
  deps: ChangeGroupDeps & { readonly quotas: Pick<Quotas, 'within'> },
  request: {
    readonly orgId: string;
    readonly profile: GroupProfile;
    readonly members: ReadonlySet<string>;
    readonly editor: Editor;
    /** The group may get roles before its last members are written. */
    readonly beforeChange?: CheckGroupRoles | undefined;
    /** Makes further writes in the last transaction. */
    readonly alongside?: ((transaction: Transaction, group: Group) => Promise<void>) | undefined;
  },
): Promise<Group> {
  const { orgId, members, editor, beforeChange, alongside } = request;
  const profile = normalizeGroup(request.profile);
  await requireMembers(deps, orgId, members);
  const now = deps.clock.now();
  const group: Group = { ...profile, id: newId(), orgId, version: 1, created: now, lastModified: now };
  const happened = [['group.added', { displayName: group.displayName, ...externalIdOf(group) }]] as const;
  const added = await deps.quotas.within(orgId, { groups: 1 }, () =>
    writeSteps(deps, {
      group,
      editor,
      delta: { from: 'current', added: members, removed: new Set() },
      beforeChange,
      first: async (transaction) => {
        await deps.groups.insert(orgId, group, transaction);
        await deps.events.append(newEvents('group', group, { happened, editor }), transaction);
        return true;
      },
      // Before the members, whose caches ask whether there are groups.
      written: () => announceGroups(deps, orgId),
      alongside,
    }).catch(orConflict(directoryErrors.groupNameTaken)),
  );
  return added ?? group;
}

function externalIdOf({ externalId }: Group) {
  return externalId === undefined ? {} : { externalId };
}
