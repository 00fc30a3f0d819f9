import { refusedValue } from '#src/directory/index.js';
import type { GroupsStore } from '#src/people/groups/index.js';
import type { ApplicationSettings } from './application.js';

/** The most groups of an application. Each sign-in to it asks for the memberships of the person in all of them, at once. */
export const mostAllowedGroups = 20;

const identifier = /^[^\p{Cc}\s]{1,200}$/u;

/** Returns the identifiers, each once. @throws AppError `directory.valueInvalid` */
export function requireGroupIdentifiers(ids: readonly string[]): string[] {
  if (ids.length > mostAllowedGroups) {
    const detail = `allowedGroups has more than ${mostAllowedGroups} values`;
    throw refusedValue('allowedGroups', 'tooMany', detail, { most: mostAllowedGroups });
  }
  const wrong = ids.findIndex((id) => !identifier.test(id));
  if (wrong === -1) return [...new Set(ids)];
  const path = `allowedGroups[${wrong}]`;
  throw refusedValue(path, 'identifier', `${path} is no identifier of a group`, { most: 200 });
}

/**
 * Checks that the groups exist. An import does not ask, because it may bring them later: nobody is in a group that does not exist.
 * @throws AppError `directory.valueInvalid`
 */
export async function requireKnownGroups(
  { groups }: { readonly groups: Pick<GroupsStore, 'namesOf'> },
  orgId: string,
  { allowedGroups = [] }: Partial<Pick<ApplicationSettings, 'allowedGroups'>>,
): Promise<void> {
  if (allowedGroups.length === 0) return;
  const known = await groups.namesOf(orgId, allowedGroups);
  const unknown = allowedGroups.findIndex((id) => !known.has(id));
  if (unknown === -1) return;
  const path = `allowedGroups[${unknown}]`;
  throw refusedValue(path, 'groupUnknown', `${path} is no group of the organization`);
}
