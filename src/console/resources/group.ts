import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { orAbsent } from './name-of-user.js';
import { type NamedOrganization, organizationOfPath } from './named-organization.js';

/** A group as SCIM has it, without its members. */
export interface ScimGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId?: string;
  readonly meta: { readonly version: string; readonly created: string; readonly lastModified: string };
}

/** The group of the path, which its pages are about. */
export interface GroupOfPath {
  readonly organization: NamedOrganization;
  readonly group: ScimGroup;
  /** The path of the group's pages. */
  readonly path: string;
}

/** The path of the list of groups. */
export function groupsPath(orgId: string): string {
  return `${pathTo('/console/orgs', orgId)}/groups`;
}

/** The path of the group in SCIM. */
export function scimGroupPath(orgId: string, id: string): string {
  return pathTo('/scim/v2', orgId, 'Groups', id);
}

/** The path of the group in the admin API. */
export function adminGroupPath(orgId: string, id: string): string {
  return pathTo('/admin/v1/orgs', orgId, 'groups', id);
}

/** @throws ApiProblem if the person does not reach the group */
export async function groupOfPath(visit: ConsoleVisit): Promise<GroupOfPath> {
  const orgId = param(visit, 'orgId');
  const id = param(visit, 'groupId');
  const [organization, group] = await Promise.all([
    organizationOfPath(visit),
    // A group may have a million members.
    visit.api.get<ScimGroup>(scimGroupPath(orgId, id), { excludedAttributes: 'members' }),
  ]);
  return { organization, group, path: pathTo(groupsPath(orgId), id) };
}

/** A group in a list of the admin API. */
export interface GroupSummary {
  readonly id: string;
  readonly displayName: string;
  readonly created: string;
  readonly lastModified: string;
}

interface FoundGroups {
  readonly items: readonly GroupSummary[];
  readonly next?: string;
  readonly total?: number;
}

/** The orders of groups that an index has. The first one is that of the names, which a search has too. */
export const groupOrders = ['displayName asc', 'created desc', 'created asc', 'lastModified desc'] as const;

/** Returns the groups whose names begin with the text, however it is written. */
export function findGroups(
  { api }: Pick<ConsoleVisit, 'api'>,
  orgId: string,
  query: {
    search: string;
    after?: string;
    limit: number;
    sort?: (typeof groupOrders)[number];
    includeTotal?: boolean;
  },
): Promise<FoundGroups> {
  const [sort, order] = (query.sort ?? groupOrders[0]).split(' ');
  return api.get<FoundGroups>(`${pathTo('/admin/v1/orgs', orgId)}/groups`, { ...query, sort, order });
}

/** Returns a function that names groups of the organization of the page. A group that is gone has its identifier. */
export async function namesOfGroups(
  visit: Pick<ConsoleVisit, 'api' | 'request'>,
  ids: readonly string[],
): Promise<(groupId: string) => string> {
  const orgId = param(visit, 'orgId');
  const names = new Map<string, string>();
  await Promise.all(
    ids.map(async (id) => {
      const path = scimGroupPath(orgId, id);
      const group = await orAbsent(visit.api.get<ScimGroup>(path, { attributes: 'displayName' }));
      if (group !== undefined) names.set(id, group.displayName);
    }),
  );
  return (id) => names.get(id) ?? id;
}

/** Adds a user to a group, or removes the user from it. The other members are not read. */
export async function changeMember(
  { api }: Pick<ConsoleVisit, 'api'>,
  orgId: string,
  { groupId, userId, isAdded }: { groupId: string; userId: string; isAdded: boolean },
): Promise<void> {
  const operation = isAdded
    ? { op: 'add', path: 'members', value: [{ value: userId }] }
    : { op: 'remove', path: `members[value eq ${JSON.stringify(userId)}]` };
  await api.send('PATCH', scimGroupPath(orgId, groupId), {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  });
}
