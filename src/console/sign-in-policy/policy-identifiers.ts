import { factsAskedBy, mostDemandGroups, mostDemands, type SignInPolicy } from '#src/directory/index.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { findGroups, namesOfGroups } from '../resources/group.js';
import { nameOfUser } from '../resources/name-of-user.js';
import type { PolicyFields, TypedIdentifiers } from './policy-form.js';

/** More groups than a policy can name are not looked up: the API refuses them. */
const mostGroups = mostDemands * mostDemandGroups;
/** The longest name of a group that is looked for, in characters. */
const longestName = 200;

/** Returns a function that names the groups and the owners of a policy. */
export async function namesInPolicy(
  visit: ConsoleVisit,
  policy: SignInPolicy,
): Promise<(id: string) => string> {
  const { breakGlassOwners = [] } = policy;
  const [groupName, ...owners] = await Promise.all([
    namesOfGroups(visit, factsAskedBy(policy).groups),
    ...breakGlassOwners.map((id) => nameOfUser(visit, id)),
  ]);
  const ownerNames = new Map(breakGlassOwners.map((id, index) => [id, owners[index]?.userName ?? id]));
  return (id) => ownerNames.get(id) ?? groupName(id);
}

/** Finds the groups and the owners whose names were typed. */
export async function typedIdentifiers(visit: ConsoleVisit, fields: PolicyFields): Promise<TypedIdentifiers> {
  const [group, owner] = await Promise.all([
    groupIdentifiers(visit, fields),
    ownerIdentifiers(visit, fields),
  ]);
  return { group, owner };
}

/** The API refuses more owners, which are not looked up. */
const mostOwners = 5;

async function ownerIdentifiers(
  visit: ConsoleVisit,
  { breakGlassOwners }: PolicyFields,
): Promise<(owner: string) => string> {
  const ids = new Map<string, string>();
  const path = `${pathTo('/scim/v2', param(visit, 'orgId'))}/Users`;
  await Promise.all(
    breakGlassOwners.slice(0, mostOwners).map(async (name) => {
      const filter = `userName eq ${JSON.stringify(name.slice(0, longestName))}`;
      const query = { filter, count: 1, attributes: 'id' };
      const { Resources = [] } = await visit.api.get<{ Resources?: { id: string }[] }>(path, query);
      const [found] = Resources;
      if (found !== undefined) ids.set(name, found.id);
    }),
  );
  return (owner) => ids.get(owner) ?? owner;
}

async function groupIdentifiers(
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
