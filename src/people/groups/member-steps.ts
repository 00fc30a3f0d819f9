import type { MemberDelta } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import { usersPerStep } from './users-per-step.js';
import type { MemberStep } from './write-members.js';

/**
 * Divides a delta into steps. A delta that starts from nobody reads the members of the group page by page, so that only those
 * are removed who are not added.
 */
export async function* memberSteps(
  { groupMembers }: { groupMembers: Pick<GroupMembersStore, 'page'> },
  { orgId, groupId, delta }: { orgId: string; groupId: string; delta: MemberDelta },
): AsyncGenerator<MemberStep> {
  const { from, added } = delta;
  let removed: string[] = [];
  const leaving =
    from === 'current' ? delta.removed : membersWithout(groupMembers, { orgId, groupId, added });
  for await (const userId of leaving) {
    removed.push(userId);
    if (removed.length < usersPerStep) continue;
    yield { removed, added: [] };
    removed = [];
  }
  let joining: string[] = [];
  for (const userId of added) {
    joining.push(userId);
    if (removed.length + joining.length < usersPerStep) continue;
    yield { removed, added: joining };
    removed = [];
    joining = [];
  }
  if (removed.length + joining.length > 0) yield { removed, added: joining };
}

async function* membersWithout(
  groupMembers: Pick<GroupMembersStore, 'page'>,
  { orgId, groupId, added }: { orgId: string; groupId: string; added: ReadonlySet<string> },
): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const page = await groupMembers.page(orgId, groupId, { after, limit: usersPerStep });
    yield* page.filter((userId) => !added.has(userId));
    after = page.length < usersPerStep ? undefined : page.at(-1);
  } while (after !== undefined);
}
