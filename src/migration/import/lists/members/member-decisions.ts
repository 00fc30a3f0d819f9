import { isDeepStrictEqual } from 'node:util';
import { isInstanceRole, roles as knownRoles, type Membership, type Role } from '#src/directory/index.js';
import { newId } from '#src/platform/ids.js';
import { orgMemberRecord } from '../../../format/members.record.js';
import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { Reservation, SectionContext } from '../section/section.js';
import { otherContent } from '../shared/other-content.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

const read = createRecordReader(orgMemberRecord);

/** The user of a record, for the report. */
export const memberOf = nameBy('userId');

/** The roles that a member of an organization can have. */
export const memberRoles = knownRoles.filter((role) => !isInstanceRole(role));

/** What the service has of the users that records name. */
interface KnownMembers {
  readonly memberships: readonly Membership[];
  /** The users that exist. */
  readonly users: ReadonlyMap<string, string>;
  /** The names that earlier parts of a dry run reserved. */
  readonly reserved: ReadonlySet<string>;
  /** All roles that the records of the part name for each user. Empty if nobody loses a role. */
  readonly named: ReadonlyMap<string, ReadonlySet<Role>>;
}

/** The name that a role of a user reserves in a dry run. */
export function nameOfRole(orgId: string, userId: string, role: Role): string {
  return reservedName.orgMember(orgId, { userId, role });
}

/** Decides about the records of one part, one after the other. */
export class MemberDecisions {
  readonly added: Membership[] = [];
  readonly removed = new Set<Membership>();
  readonly reservations: Reservation[] = [];
  /** The organization of each user that exists. */
  readonly homes: ReadonlyMap<string, string>;
  readonly #known: KnownMembers;
  readonly #context: SectionContext;
  /** The names of the roles that users have. */
  readonly #stored: Set<string>;

  constructor(known: KnownMembers, context: SectionContext) {
    this.#known = known;
    this.homes = known.users;
    this.#context = context;
    const { reserved, memberships } = known;
    this.#stored = new Set([
      ...reserved,
      ...memberships.map(({ userId, role }) => nameOfRole(context.orgId, userId, role)),
    ]);
  }

  /** What an import does with a record. @throws RecordFailure */
  import(value: unknown, record: number): 'created' | 'updated' | 'skipped' {
    const { orgId, now, update } = this.#context;
    const { userId, roles } = read(value);
    const wanted = roles.map(requireRole);
    this.#requireUser(userId);
    const nameOfOwn = (role: Role) => nameOfRole(orgId, userId, role);
    const missing = [...new Set(wanted)].filter((role) => !this.#stored.has(nameOfOwn(role)));
    for (const role of missing) {
      this.#stored.add(nameOfOwn(role));
      this.added.push({ id: newId(), userId, role, orgId, created: now });
    }
    this.reservations.push({ record, names: missing.map(nameOfOwn) });
    if (missing.length + this.#takeSurplus(userId) === 0) return 'skipped';
    return update && this.#known.memberships.some((one) => one.userId === userId) ? 'updated' : 'created';
  }

  /** A verification compares all roles that the user has with those of all its records in the part. @throws RecordFailure */
  compare(value: unknown, record: number): 'created' | 'skipped' {
    const { compared } = this.#context;
    const { memberships, named } = this.#known;
    const { userId, roles } = read(value);
    const given = [...new Set(roles.map(requireRole))].sort();
    compared?.(record, { key: userId, given });
    this.#requireUser(userId);
    const held = memberships.filter((one) => one.userId === userId).map(({ role }) => role);
    if (held.length === 0) return 'created';
    const isSame = isDeepStrictEqual(held.sort(), [...(named.get(userId) ?? given)].sort());
    const stored = isSame ? held.filter((role) => given.includes(role)) : held;
    compared?.(record, { key: userId, given, stored });
    if (isSame) return 'skipped';
    throw otherContent(['roles']);
  }

  #requireUser(userId: string): void {
    const { users, reserved } = this.#known;
    if (!users.has(userId) && !reserved.has(reservedName.user(userId))) {
      throw new RecordFailure('REFERENCE-UNKNOWN', `User ${userId} does not exist`);
    }
  }

  /** Takes the roles that the user loses, at its first record. @returns their number */
  #takeSurplus(userId: string): number {
    const { memberships, named } = this.#known;
    const rolesNamed = named.get(userId);
    const surplus = memberships.filter(
      (one) =>
        one.userId === userId &&
        rolesNamed !== undefined &&
        !rolesNamed.has(one.role) &&
        !this.removed.has(one),
    );
    for (const membership of surplus) this.removed.add(membership);
    return surplus.length;
  }
}

/** All roles that the records of a part name for each user. A user with a record that fails is left out, so that it loses no role. */
export function rolesByUser(
  records: readonly unknown[],
  failed: readonly unknown[],
): Map<string, ReadonlySet<Role>> {
  const named = new Map<string, Set<Role>>();
  const faulty = new Set(failed.map(memberOf));
  for (const record of records) {
    const userId = memberOf(record);
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
