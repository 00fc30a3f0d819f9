import type { Application } from '#src/clients/applications/index.js';
import type { GroupMembersStore } from '#src/people/groups/index.js';

export interface MayUseDeps {
  readonly groupMembers: Pick<GroupMembersStore, 'existing'>;
}

/**
 * Returns whether the person is in one of the groups whose members alone may use the application. An application without such groups asks no
 * store. Groups belong to the organization of the application, so nobody of another one is in them.
 */
export async function mayUseApplication(
  { groupMembers }: MayUseDeps,
  { orgId, allowedGroups }: Pick<Application, 'orgId' | 'allowedGroups'>,
  userId: string,
): Promise<boolean> {
  if (allowedGroups.length === 0) return true;
  const found = await groupMembers.existing(
    orgId,
    allowedGroups.map((groupId) => ({ groupId, userId })),
  );
  return found.size > 0;
}
