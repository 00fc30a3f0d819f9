import { keptChanges } from '#src/audit/changes.js';
import type { Editor } from '#src/audit/event.js';
import {
  directoryErrors,
  isInstanceRole,
  roles as knownRoles,
  type Role,
  refusedValue,
  type WriteStepDeps,
  writeStep,
} from '#src/directory/index.js';
import type { CheckLostRoles } from './check-group-roles.js';
import type { Group } from './group.js';
import type { GroupsStore } from './groups.store.js';
import { type AnnounceDeps, announceGroups } from './user-groups.js';

type ChangeGroupRolesDeps = WriteStepDeps & Pick<AnnounceDeps, 'caches'> & { readonly groups: GroupsStore };

/** The roles that a group can hold. All of them are roles of its organization. */
export const groupRoles = knownRoles.filter((role) => !isInstanceRole(role));

/**
 * Sets the roles that a group holds in its organization. Its members get and lose them at once. If nothing differs, nothing is written.
 * @throws AppError `directory.groupNotFound`, `directory.valueInvalid` for a role of the instance, `directory.changing`, and the
 * errors of `afterLoss`
 */
export async function changeGroupRoles(
  deps: ChangeGroupRolesDeps,
  request: {
    orgId: string;
    id: string;
    roles: readonly Role[];
    editor: Editor;
    afterLoss?: CheckLostRoles;
  },
): Promise<Group> {
  const { orgId, id, roles: wanted, editor, afterLoss } = request;
  const roles = groupRoles.filter((role) => wanted.includes(role));
  if (wanted.some(isInstanceRole)) {
    throw refusedValue('roles', 'roleElsewhere', 'A group holds no role of the instance');
  }
  const changed = await writeStep<Group>(
    deps,
    {
      aggregate: 'group',
      // A change of many members holds the line of the group for seconds.
      line: 'roles of a group',
      notFound: directoryErrors.groupNotFound,
      find: deps.groups.find,
      replace: (group, expectedVersion, transaction) =>
        deps.groups.replace(orgId, { group, expectedVersion }, transaction),
      failed(error) {
        throw error;
      },
    },
    {
      orgId,
      id,
      editor,
      step: (current) => {
        const before = current.roles ?? [];
        const isSame = before.length === roles.length && roles.every((role) => before.includes(role));
        const { roles: _before, ...group } = current;
        return {
          next: { ...group, ...(roles.length > 0 && { roles }) },
          happened: isSame
            ? []
            : [['group.roles.changed', { roles, ...keptChanges({ roles: before }, { roles }, ['roles']) }]],
          alongside: async (transaction) => {
            const lost = before.filter((role) => !roles.includes(role));
            if (lost.length > 0) await afterLoss?.(lost, transaction);
          },
        };
      },
    },
  );
  await announceGroups(deps, orgId);
  return changed;
}
