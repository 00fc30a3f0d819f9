import { createHash } from 'node:crypto';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { SectionDeps } from '../lists/section/section-deps.js';
import { identifiersOf } from './identifiers-of.js';
import type { ParsedRecord } from './read-records.js';

export type ConfinedIdentifierDeps = Pick<
  SectionDeps,
  'applications' | 'groups' | 'projects' | 'serviceUsers' | 'users'
>;

/** What an identifier in a record names. People and service users share identifiers. */
type Named = 'user' | 'group' | 'project' | 'application';

/** The members of records that name an object of the organization. `clientId` names an application of another one. */
const namedBy: Readonly<Record<string, Named>> = {
  userId: 'user',
  groupId: 'group',
  projectId: 'project',
  appId: 'application',
};
const members = Object.entries(namedBy);

/** An identifier of a file: 1 to 200 visible ASCII characters. A record with any other is refused, so it stays as it is. */
const isIdentifier = /^[\x21-\x7e]{1,200}$/;

/**
 * Returns the records of an organization's owner with identifiers that no other organization can have. Identifiers of objects are of the
 * whole instance. If the owner chose them, an error would tell which other organizations have, and an organization could take those that
 * another one is about to import. An identifier of an object that the organization has stays. From any other, the identifier is made that
 * this organization always has for it: a file that comes again finds what it added, and references within a file stay.
 * An error names the identifiers of the file.
 */
export async function withConfinedIdentifiers(
  deps: ConfinedIdentifierDeps,
  orgId: string,
  records: readonly ParsedRecord[],
): Promise<ParsedRecord[]> {
  const given = new Map<Named, Set<string>>();
  for (const { kind, id } of records.flatMap(({ value }) => namesIn(value)))
    given.set(kind, (given.get(kind) ?? new Set()).add(id));
  const owned = await ownedBy(deps, orgId, (kind) => [...(given.get(kind) ?? [])]);
  const chosen = new Map<string, string>();
  for (const [kind, ids] of given) {
    for (const id of ids)
      if (!owned.has(`${kind} ${id}`)) chosen.set(`${kind} ${id}`, madeIdentifier(orgId, kind, id));
  }
  return records.map((record) => replaced(record, chosen));
}

/** The identifier that an organization has for one of a file. It is 160 bits of a hash, so no other organization can aim at it. */
function madeIdentifier(orgId: string, kind: Named, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([orgId, kind, id]))
    .digest('hex')
    .slice(0, 40);
}

function namesIn(value: unknown): { kind: Named; id: string }[] {
  if (!isJsonObject(value)) return [];
  const named = members.map(([name, kind]) => ({ kind, id: value[name] }));
  const within = usersWithin(value).map((id) => ({ kind: 'user' as const, id }));
  return [...named, ...within].flatMap(({ kind, id }) =>
    typeof id === 'string' && isIdentifier.test(id) ? [{ kind, id }] : [],
  );
}

type Members = Readonly<Record<string, unknown>>;

/** The users whom a record names within: the manager of a person, its SCIM clients (`user.scim.clientExternalIds`), and that of a connection. */
function usersWithin({ user, connection }: Members): unknown[] {
  const scim = isJsonObject(user) && user['scim'];
  const linking = isJsonObject(connection) && connection['linking'];
  return [
    ...(isJsonObject(scim) ? [scim['manager'], ...clientsIn(scim).map((one) => one['serviceUserId'])] : []),
    ...(isJsonObject(linking) ? [linking['provisionedBy']] : []),
  ];
}

function clientsIn({ clientExternalIds: list }: Members): Members[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The members of a record that name users within, with the users that `idOf` returns. Without one, a user stays. */
function withUsersWithin(value: Members, idOf: (id: unknown) => unknown): Members {
  const { user, connection } = value;
  const renamed = (members: Members, name: string) => {
    const id = idOf(members[name]);
    return id === undefined ? members : { ...members, [name]: id };
  };
  const changed: Record<string, unknown> = {};
  if (isJsonObject(user) && isJsonObject(user['scim'])) {
    const scim = renamed(user['scim'], 'manager');
    const { clientExternalIds: list } = scim;
    const clientExternalIds =
      Array.isArray(list) && list.map((one) => (isJsonObject(one) ? renamed(one, 'serviceUserId') : one));
    changed['user'] = { ...user, scim: clientExternalIds ? { ...scim, clientExternalIds } : scim };
  }
  if (isJsonObject(connection) && isJsonObject(connection['linking']))
    changed['connection'] = { ...connection, linking: renamed(connection['linking'], 'provisionedBy') };
  return changed;
}

/** Those of the identifiers that objects of the organization have, each behind what it names. */
async function ownedBy(
  { applications, groups, projects, serviceUsers, users }: ConfinedIdentifierDeps,
  orgId: string,
  idsOf: (kind: Named) => string[],
): Promise<ReadonlySet<string>> {
  const people = idsOf('user');
  const [groupIds, projectIds, appIds] = [idsOf('group'), idsOf('project'), idsOf('application')];
  const [ofUsers, ofServiceUsers, ownGroups, ownProjects, found] = await Promise.all([
    people.length > 0 ? users.organizationsOf(people) : new Map<string, string>(),
    people.length > 0 ? serviceUsers.organizationsOf(people) : new Map<string, string>(),
    groupIds.length > 0 ? groups.namesOf(orgId, groupIds) : new Map<string, string>(),
    projectIds.length > 0 ? projects.findMany(orgId, projectIds) : new Map<string, unknown>(),
    appIds.length > 0 ? applications.findMany(appIds) : [],
  ]);
  const ownPeople = [...ofUsers, ...ofServiceUsers].filter(([, owner]) => owner === orgId);
  return new Set([
    ...ownPeople.map(([id]) => `user ${id}`),
    ...[...ownGroups.keys()].map((id) => `group ${id}`),
    ...[...ownProjects.keys()].map((id) => `project ${id}`),
    ...found.filter((one) => one.orgId === orgId).map(({ id }) => `application ${id}`),
  ]);
}

/** The record with the chosen identifiers in place of those of the file. It knows those for its errors. */
function replaced(record: ParsedRecord, chosen: ReadonlyMap<string, string>): ParsedRecord {
  const { value } = record;
  const named = namesIn(value);
  const names = new Map(named.flatMap(({ kind, id }) => [[chosen.get(`${kind} ${id}`) ?? id, id]]));
  const isSame = [...names].every(([made, id]) => made === id);
  if (!isJsonObject(value) || isSame) return record;
  const changed: Record<string, unknown> = { ...value };
  for (const [name, kind] of members) {
    const made = chosen.get(`${kind} ${value[name]}`);
    if (typeof value[name] === 'string' && made !== undefined) changed[name] = made;
  }
  Object.assign(
    changed,
    withUsersWithin(value, (id) => chosen.get(`user ${id}`)),
  );
  const lost = takeRecoveryCodes(changed, value);
  const { ignored = [] } = record;
  const lists = lost ? { ignored: [...ignored, recoveryCodes] } : {};
  return { ...record, ...lists, value: changed, identifiers: identifiersOf(value), names };
}

const recoveryCodes = 'orgs[].humanUsers[].user.otpRecoveryCodes';

/** Takes recovery codes away, which are hashes with the former identifier of their person. @returns whether there were any */
function takeRecoveryCodes(
  changed: Record<string, unknown>,
  { userId }: Readonly<Record<string, unknown>>,
): boolean {
  const { user } = changed;
  if (changed['userId'] === userId || !isJsonObject(user) || user['otpRecoveryCodes'] === undefined)
    return false;
  const { otpRecoveryCodes: _codes, ...others } = user;
  changed['user'] = others;
  return true;
}
