import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';

type UserReferencesDeps = Pick<SectionDeps, 'users' | 'serviceUsers'>;

/** Returns the organization of each of these users that exists. They may be human users and service users. */
export async function organizationsOfUsers(
  { users, serviceUsers }: UserReferencesDeps,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const [ofHumanUsers, ofServiceUsers] = await Promise.all([
    users.organizationsOf(userIds),
    serviceUsers.organizationsOf(userIds),
  ]);
  return new Map([...ofHumanUsers, ...ofServiceUsers]);
}

/**
 * Looks up which of these users the organization has, or would have after the parts of a dry run.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for any other user
 */
export async function createUserCheck(
  deps: UserReferencesDeps,
  {
    orgId,
    findReserved,
    userIds,
  }: Pick<SectionContext, 'orgId' | 'findReserved'> & { userIds: readonly string[] },
): Promise<(userId: string) => void> {
  const [organizations, reserved] = await Promise.all([
    organizationsOfUsers(deps, userIds),
    findReserved(userIds.map((id) => reservedName.userOf(orgId, id))),
  ]);
  return (userId) => {
    if (organizations.get(userId) === orgId) return;
    if (!organizations.has(userId) && reserved.has(reservedName.userOf(orgId, userId))) return;
    throw new RecordFailure('REFERENCE-UNKNOWN', `User ${userId} is not in the organization`);
  };
}
