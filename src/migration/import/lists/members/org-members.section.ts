import { endConnectedSignIns, membershipEvent } from '#src/access/memberships/index.js';
import type { Role } from '#src/directory/index.js';
import { organizationsOfUsers } from '../references/user-references.js';
import { failedOutcome, PlanOutdated } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, Outcome, SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { MemberDecisions, memberOf, memberRoles, nameOfRole, rolesByUser } from './member-decisions.js';

type OrgMembersDeps = Pick<
  SectionDeps,
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'identityLinks'
  | 'memberships'
  | 'refreshTokens'
  | 'revocations'
  | 'serviceUsers'
  | 'users'
>;

/**
 * `orgMembers`: the users with roles in the organization. Each record adds roles to those that the user has. A record
 * that adds no role is skipped. The user may be of another organization, because the requester is an owner of the
 * instance, who may make any user a member. Roles of the instance cannot be imported. In an import that updates, a user also loses the roles
 * in the organization that its records do not name.
 */
export function orgMembersSection(deps: OrgMembersDeps): ImportSection {
  return {
    key: 'orgMembers',
    errorType: 'org_member',
    successKey: 'orgMembers',
    phase: 6,
    forms: ['instance'],
    references: { names: { userId: 'user' }, reachElsewhere: true },
    plan: (records, context) => plan(deps, records, context),
  };
}

async function plan(
  deps: OrgMembersDeps,
  records: readonly unknown[],
  context: SectionContext,
): Promise<SectionPlan> {
  const decisions = await surveyMembers(deps, records, context);
  const decide =
    context.compared === undefined
      ? (value: unknown, record: number) => decisions.import(value, record)
      : (value: unknown, record: number) => decisions.compare(value, record);
  const outcomes = records.map((record, place): Outcome => {
    try {
      return { kind: decide(record, place), id: memberOf(record) };
    } catch (error) {
      return failedOutcome(error, memberOf(record));
    }
  });
  const { reservations } = decisions;
  return { outcomes, reservations, ...writeMembers(deps, context, decisions) };
}

async function surveyMembers(
  deps: OrgMembersDeps,
  records: readonly unknown[],
  context: SectionContext,
): Promise<MemberDecisions> {
  const { orgId, update, failed, findReserved, compared } = context;
  const userIds = [...new Set(records.map(memberOf))];
  const [memberships, users, reserved] = await Promise.all([
    deps.memberships.ofMembers(orgId, userIds),
    organizationsOfUsers(deps, userIds),
    findReserved(
      userIds.flatMap((id) => [
        reservedName.user(id),
        ...memberRoles.map((role) => nameOfRole(orgId, id, role)),
      ]),
    ),
  ]);
  const named =
    update || compared !== undefined ? rolesByUser(records, failed) : new Map<string, ReadonlySet<Role>>();
  return new MemberDecisions({ memberships, users, reserved, named }, context);
}

/** Returns what a plan does in its transaction and after it: it adds and removes roles. */
function writeMembers(
  deps: OrgMembersDeps,
  { editor, now }: SectionContext,
  { added, removed, homes }: MemberDecisions,
): Required<Pick<SectionPlan, 'write' | 'tried'>> {
  const { memberships, events, caches } = deps;
  return {
    async write(transaction) {
      for (const { id } of removed) {
        if (!(await memberships.remove(id, transaction))) throw new PlanOutdated();
      }
      await memberships.insert(added, homes, transaction);
      await endConnectedSignIns(deps, added, { homes, transaction });
      await events.append(
        [
          ...[...removed].map((one) => membershipEvent('member.removed', one, { editor, date: now })),
          ...added.map((one) => membershipEvent('member.added', one, { editor, date: now })),
        ],
        transaction,
      );
    },
    async tried() {
      const changed = [...new Set([...removed, ...added].map(({ userId }) => userId))];
      await Promise.all(changed.map((userId) => caches.memberships.invalidate(userId)));
    },
  };
}
