import type { Event } from '#src/audit/event.js';
import { isInstanceRole, permissionsIn } from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import type { AdminNeeds } from '../needs/needs.js';

/** An object and its name. */
interface ObjectName {
  readonly id: string;
  readonly type: 'user' | 'serviceUser' | 'group' | 'application' | 'project' | 'org';
  readonly orgId: string;
  readonly name: string;
}

/** Identifiers that one search looks up. Those of further events have no name. */
const maxIds = 500;

/** Somebody who acted, of an organization that the caller may not read. */
interface Outsider {
  readonly id: string;
  /** Whether the user has a role in the whole service. */
  readonly ownsService: boolean;
}

type Deps = Pick<AdminNeeds, 'users' | 'serviceUsers' | 'groups' | 'applications' | 'projects' | 'caches'>;

/**
 * Returns the names of the objects that the events name, as far as they exist. An object of an organization that the caller may
 * not read has no name here. `outsiders` are those of such organizations who acted.
 */
export async function eventNames(
  deps: Deps,
  events: readonly Event[],
  { memberships }: Pick<Principal, 'memberships'>,
): Promise<{ names: ObjectName[]; outsiders: Outsider[] }> {
  const wanted = gather(events);
  const found = await Promise.all([
    userNames(deps, wanted.users),
    applicationNames(deps, wanted.applications),
    groupNames(deps, wanted.groups),
    projectNames(deps, wanted.projects),
    organizationNames(deps, wanted.orgs),
  ]);
  const mayRead = ({ orgId }: ObjectName) => permissionsIn(memberships, orgId)?.has('org.read') === true;
  const editors = new Set(events.map(({ editor }) => editor.userId));
  const foreign = (found[0] ?? []).filter((user) => editors.has(user.id) && !mayRead(user));
  return { names: found.flat().filter(mayRead), outsiders: await outsidersOf(deps, foreign) };
}

/** Those who acted from elsewhere. Their names are not told: an event has only the identifier. */
function outsidersOf({ caches }: Deps, users: readonly ObjectName[]): Promise<Outsider[]> {
  return Promise.all(
    users.map(async ({ id }) => {
      const held = await caches.memberships.get(id);
      return { id, ownsService: (held ?? []).some(({ role }) => isInstanceRole(role)) };
    }),
  );
}

/** The identifiers, by type. Groups and projects are in the organization of their event. */
function gather(events: readonly Event[]) {
  let left = maxIds;
  const users = new Set<string>();
  const applications = new Set<string>();
  const orgs = new Set<string>();
  const groups = new Map<string, Set<string>>();
  const projects = new Map<string, Set<string>>();
  const add = (to: Set<string>, id: unknown) => {
    if (typeof id !== 'string' || to.has(id) || left === 0) return;
    to.add(id);
    left--;
  };
  const within = (map: Map<string, Set<string>>, orgId: string) => {
    const set = map.get(orgId) ?? new Set<string>();
    map.set(orgId, set);
    return set;
  };
  for (const { aggregate, editor, payload } of events) {
    const { id, type, resourceOwner } = aggregate;
    add(users, editor.userId);
    add(users, payload.userId);
    for (const userId of Array.isArray(payload.userIds) ? payload.userIds.slice(0, 5) : [])
      add(users, userId);
    add(applications, payload.clientId);
    add(within(projects, resourceOwner), payload.projectId);
    if (type === 'user') add(users, id);
    if (type === 'application') add(applications, id);
    if (type === 'group') add(within(groups, resourceOwner), id);
    if (type === 'project') add(within(projects, resourceOwner), id);
    add(orgs, type === 'org' ? id : resourceOwner);
  }
  return { users: [...users], applications: [...applications], orgs: [...orgs], groups, projects };
}

/** The names of people and service users. Unknown ones are left out. */
export async function userNames(
  deps: Pick<Deps, 'users' | 'serviceUsers' | 'caches'>,
  ids: readonly string[],
): Promise<ObjectName[]> {
  return (await Promise.all([peopleNames(deps, ids), serviceUserNames(deps, ids)])).flat();
}

async function peopleNames({ users }: Pick<Deps, 'users'>, ids: readonly string[]): Promise<ObjectName[]> {
  const organizations = [...(await users.organizationsOf(ids))];
  const orgIds = new Set(organizations.map(([, orgId]) => orgId));
  const names = await Promise.all(
    [...orgIds].map(async (orgId) => {
      const userIds = organizations.filter(([, owner]) => owner === orgId).map(([id]) => id);
      return named('user', orgId, await users.displayNamesOf(orgId, userIds));
    }),
  );
  return names.flat();
}

async function serviceUserNames(
  { serviceUsers, caches }: Pick<Deps, 'serviceUsers' | 'caches'>,
  ids: readonly string[],
): Promise<ObjectName[]> {
  const known = await serviceUsers.organizationsOf(ids);
  const found = await Promise.all([...known.keys()].map((id) => caches.serviceUsers.get(id)));
  return found.flatMap((one) =>
    one === undefined ? [] : [{ id: one.id, type: 'serviceUser', orgId: one.orgId, name: one.name } as const],
  );
}

async function applicationNames({ applications }: Deps, ids: readonly string[]): Promise<ObjectName[]> {
  if (ids.length === 0) return [];
  const found = await applications.findMany(ids);
  return found.map(({ id, orgId, name }) => ({ id, type: 'application', orgId, name }));
}

async function groupNames({ groups }: Deps, wanted: ReadonlyMap<string, Set<string>>): Promise<ObjectName[]> {
  const found = await Promise.all(
    [...wanted].map(async ([orgId, ids]) => named('group', orgId, await groups.namesOf(orgId, [...ids]))),
  );
  return found.flat();
}

async function projectNames(
  { projects }: Deps,
  wanted: ReadonlyMap<string, Set<string>>,
): Promise<ObjectName[]> {
  const found = await Promise.all(
    [...wanted].map(async ([orgId, ids]) => {
      if (ids.size === 0) return [];
      const known = await projects.findMany(orgId, [...ids]);
      return named('project', orgId, new Map([...known].map(([id, { name }]) => [id, name])));
    }),
  );
  return found.flat();
}

async function organizationNames({ caches }: Deps, ids: readonly string[]): Promise<ObjectName[]> {
  const found = await Promise.all(ids.filter((id) => id !== '*').map((id) => caches.organizations.get(id)));
  return found.flatMap((one) =>
    one === undefined ? [] : [{ id: one.id, type: 'org', orgId: one.id, name: one.name } as const],
  );
}

function named(type: ObjectName['type'], orgId: string, names: ReadonlyMap<string, string>): ObjectName[] {
  return [...names].map(([id, name]) => ({ id, type, orgId, name }));
}
