import { isDeepStrictEqual } from 'node:util';
import { membershipEvent } from '#src/access/memberships/index.js';
import { isInstanceRole, roles as knownRoles, type Membership, type Role } from '#src/directory/index.js';
import { newId } from '#src/platform/ids.js';
import { orgMemberRecord } from '../../../format/members.record.js';
import { organizationsOfUsers } from '../references/user-references.js';
import { failedOutcome, PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, Outcome, Reservation, SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { otherContent } from '../shared/other-content.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type OrgMembersDeps = Pick<SectionDeps, 'users' | 'serviceUsers' | 'memberships' | 'events' | 'caches'>;

const read = createRecordReader(orgMemberRecord);
const nameOf = nameBy('userId');

/** The roles that a member of an organization can have. */
const memberRoles = knownRoles.filter((role) => !isInstanceRole(role));

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
    plan: (records, context) => plan(deps, records, context),
  };
}

async function plan(
  deps: OrgMembersDeps,
  records: readonly unknown[],
  { orgId, editor, now, update, failed, findReserved, compared }: SectionContext,
): Promise<SectionPlan> {
  const nameOfRole = (userId: string, role: Role) => reservedName.orgMember(orgId, { userId, role });
  const userIds = [...new Set(records.map(nameOf))];
  const [memberships, users, reserved] = await Promise.all([
    deps.memberships.ofMembers(orgId, userIds),
    organizationsOfUsers(deps, userIds),
    findReserved(
      userIds.flatMap((id) => [reservedName.user(id), ...memberRoles.map((role) => nameOfRole(id, role))]),
    ),
  ]);
  const stored = new Set([...reserved, ...memberships.map(({ userId, role }) => nameOfRole(userId, role))]);
  const named =
    update || compared !== undefined ? rolesByUser(records, failed) : new Map<string, ReadonlySet<Role>>();
  const added: Membership[] = [];
  const removed = new Set<Membership>();
  const reservations: Reservation[] = [];

  /** The roles that the user loses, at its first record. */
  const takeSurplus = (userId: string): number => {
    const kept = named.get(userId);
    const surplus = memberships.filter(
      (one) => one.userId === userId && kept !== undefined && !kept.has(one.role) && !removed.has(one),
    );
    for (const membership of surplus) removed.add(membership);
    return surplus.length;
  };

  const decide = (value: unknown, record: number): 'created' | 'updated' | 'skipped' => {
    const { userId, roles } = read(value);
    const wanted = roles.map(requireRole);
    const given = [...new Set(wanted)].sort();
    compared?.(record, { key: userId, given });
    if (!users.has(userId) && !reserved.has(reservedName.user(userId))) {
      throw new RecordFailure('REFERENCE-UNKNOWN', `User ${userId} does not exist`);
    }
    if (compared !== undefined) return compareRoles(record, { userId, given });
    const missing = [...new Set(wanted)].filter((role) => !stored.has(nameOfRole(userId, role)));
    for (const role of missing) {
      stored.add(nameOfRole(userId, role));
      added.push({ id: newId(), userId, role, orgId, created: now });
    }
    reservations.push({ record, names: missing.map((role) => nameOfRole(userId, role)) });
    if (missing.length + takeSurplus(userId) === 0) return 'skipped';
    return update && memberships.some((one) => one.userId === userId) ? 'updated' : 'created';
  };

  /** A verification compares all roles that the user has with those of all its records in the part. */
  const compareRoles = (record: number, { userId, given }: { userId: string; given: readonly Role[] }) => {
    const held = memberships.filter((one) => one.userId === userId).map(({ role }) => role);
    if (held.length === 0) return 'created';
    const isSame = isDeepStrictEqual(held.sort(), [...(named.get(userId) ?? given)].sort());
    const stored = isSame ? held.filter((role) => given.includes(role)) : held;
    compared?.(record, { key: userId, given, stored });
    if (isSame) return 'skipped';
    throw otherContent(['roles']);
  };

  const outcomes = records.map((record, place): Outcome => {
    try {
      return { kind: decide(record, place), id: nameOf(record) };
    } catch (error) {
      return failedOutcome(error, nameOf(record));
    }
  });
  return {
    outcomes,
    reservations,
    async write(transaction) {
      for (const { id } of removed) {
        if (!(await deps.memberships.remove(id, transaction))) throw new PlanOutdated();
      }
      await deps.memberships.insert(added, transaction);
      await deps.events.append(
        [
          ...[...removed].map((one) => membershipEvent('member.removed', one, { editor, date: now })),
          ...added.map((one) => membershipEvent('member.added', one, { editor, date: now })),
        ],
        transaction,
      );
    },
    async tried() {
      const changed = [...new Set([...removed, ...added].map(({ userId }) => userId))];
      await Promise.all(changed.map((userId) => deps.caches.memberships.invalidate(userId)));
    },
  };
}

/** All roles that the records of a part name for each user. A user with a record that fails is left out, so that it loses no role. */
function rolesByUser(
  records: readonly unknown[],
  failed: readonly unknown[],
): Map<string, ReadonlySet<Role>> {
  const named = new Map<string, Set<Role>>();
  const faulty = new Set(failed.map(nameOf));
  for (const record of records) {
    const userId = nameOf(record);
    try {
      const roles = named.get(userId) ?? new Set();
      for (const role of read(record).roles) roles.add(requireRole(role));
      named.set(userId, roles);
    } catch {
      faulty.add(userId);
    }
  }
  for (const userId of faulty) named.delete(userId);
  return named;
}

function requireRole(given: string): Role {
  const role = memberRoles.find((known) => known === given);
  if (role !== undefined) return role;
  throw new RecordFailure('VALUE-INVALID', `roles must be of ${memberRoles.join(', ')}`);
}
