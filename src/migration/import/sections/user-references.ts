import type { Container } from '#src/container.js';
import { ImportFailure } from './record-failure.js';
import { claimName } from './reservations.js';
import type { SectionContext } from './section.js';

export type UsersOfDeps = Pick<Container, 'users' | 'serviceUsers'>;

/** Looks up which of these users there are, people and service users. @returns the organization of each */
export async function organizationsOfUsers(
  { users, serviceUsers }: UsersOfDeps,
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
 * @returns throws ImportFailure `REFERENCE-UNKNOWN` for another one
 */
export async function requireUserOf(
  deps: UsersOfDeps,
  { orgId, claimed, userIds }: Pick<SectionContext, 'orgId' | 'claimed'> & { userIds: readonly string[] },
): Promise<(userId: string) => void> {
  const [organizations, claims] = await Promise.all([
    organizationsOfUsers(deps, userIds),
    claimed(userIds.map((id) => claimName.userOf(orgId, id))),
  ]);
  return (userId) => {
    if (organizations.get(userId) === orgId) return;
    if (!organizations.has(userId) && claims.has(claimName.userOf(orgId, userId))) return;
    throw new ImportFailure('REFERENCE-UNKNOWN', `User ${userId} is not in the organization`);
  };
}
