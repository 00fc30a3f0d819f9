import type { Editor } from '#src/audit/event.js';
import type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
import type { MemberDelta } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import { usersPerStep } from './users-per-step.js';

/** A part of a change of members: at most {@link usersPerStep} users, first those who leave. */
export interface MemberStep {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** A step, the group that it changes, and the editor. */
export interface MemberWrite extends MemberStep {
  readonly orgId: string;
  readonly groupId: string;
  readonly editor: Editor;
  /** Called in the transaction that writes the step. If it throws, the step is not written. */
  readonly beforeChange?: CheckGroupRoles | undefined;
  /** Called if the step removes users. If it throws, the step is not written. */
  readonly afterLoss?: CheckLostRoles | undefined;
}

/** The number of users that steps name. */
export function usersOf(steps: readonly MemberStep[]): number {
  return steps.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0);
}

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
