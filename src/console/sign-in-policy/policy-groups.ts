import { factsAskedBy, mostDemandGroups, mostDemands, type SignInPolicy } from '#src/directory/index.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { findGroups, namesOfGroups } from '../resources/group.js';
import type { PolicyFields } from './policy-form.js';

/** More groups than a policy can name are not looked up: the API refuses them. */
const mostGroups = mostDemands * mostDemandGroups;
/** The longest name of a group that is looked for, in characters. */
const longestName = 200;

/** Returns a function that names the groups of a policy. */
export function groupNames(visit: ConsoleVisit, policy: SignInPolicy): Promise<(groupId: string) => string> {
  return namesOfGroups(visit, factsAskedBy(policy).groups);
}

/** Returns a function that finds the groups whose names were typed. What is no name may be an identifier. */
export async function groupIdentifiers(
  visit: ConsoleVisit,
  { demands }: PolicyFields,
): Promise<(group: string) => string> {
  const orgId = param(visit, 'orgId');
  const ids = new Map<string, string>();
  const typed = new Set(demands.filter(({ of }) => of === 'groups').flatMap(({ groups }) => groups));
  await Promise.all(
    [...typed].slice(0, mostGroups).map(async (name) => {
      const { items } = await findGroups(visit, orgId, { search: name.slice(0, longestName), limit: 1 });
      const [found] = items;
      if (found && sameName(found.displayName, name)) ids.set(name, found.id);
    }),
  );
  return (group) => ids.get(group) ?? group;
}

/** Names of groups are unique whatever their letter case. The search begins with the shortest name. */
function sameName(one: string, other: string): boolean {
  return one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase();
}
