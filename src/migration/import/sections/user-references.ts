import { RecordFailure } from './record-failure.js';
import { reservedName } from './reservations.js';
import type { SectionContext } from './section.js';
import type { SectionDeps } from './section-deps.js';

export type UserReferencesDeps = Pick<SectionDeps, 'users' | 'serviceUsers'>;

/** Looks up which of these users there are, people and service users. @returns the organization of each */
export async function organizationsOfUsers(
  { users, serviceUsers }: UserReferencesDeps,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const [people, programs] = await Promise.all([
    users.organizationsOf(userIds),
    serviceUsers.organizationsOf(userIds),
  ]);
  return new Map([...people, ...programs]);
}

/**
 * Looks up which of these users are of the organization, or would be in a dry run.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for another one
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
