import { isDotSegment } from '#src/platform/path-segment.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { findGroups, scimGroupPath } from '../resources/group.js';
import { nameOfUser, orAbsent } from '../resources/name-of-user.js';
import { apiOf, scimOf } from '../resources/organization-of.js';
import { projectApi, projectPath } from '../resources/project.js';
import type { ListedRoles } from './project-role.js';

/**
 * Who holds roles in a project, by the name of the list in addresses: users and service users, groups, and those who administer the
 * project.
 */
export const assignmentKinds = ['grants', 'group-grants', 'members'] as const;

export type AssignmentList = (typeof assignmentKinds)[number];

/** The roles of one holder, as the admin API shows them. */
export interface ShownAssignment {
  readonly userId?: string;
  readonly groupId?: string;
  readonly roles: readonly string[];
  readonly created: string;
}

export interface ListedAssignments {
  readonly items: readonly ShownAssignment[];
  readonly next?: string;
}

/** Who holds the roles. */
export function holderOf({ userId, groupId }: ShownAssignment): string {
  return userId ?? groupId ?? '';
}

/** The property that names the holder. */
export function holderField(list: AssignmentList): 'userId' | 'groupId' {
  return list === 'group-grants' ? 'groupId' : 'userId';
}

/** The path of the assignment of the page in the admin API. */
export function assignmentApi(visit: ConsoleVisit, list: AssignmentList): string {
  return projectApi(visit, `/${list}/${segmentOf(param(visit, 'holderId'))}`);
}

/** The path of the assignment of the page in the console, and below it. */
export function assignmentPath(visit: ConsoleVisit, list: AssignmentList, below = ''): string {
  return projectPath(visit, `/${list}/${segmentOf(param(visit, 'holderId'))}${below}`);
}

/** A holder as a page names it. */
export interface NamedHolder {
  readonly name: string;
  readonly userName?: string;
  /** The folder of its page in the console. */
  readonly folder: 'users' | 'service-users' | 'groups';
}

/** The name of a holder. Undefined if it does not exist. */
export async function nameOfHolder(
  visit: ConsoleVisit,
  list: AssignmentList,
  id: string,
): Promise<NamedHolder | undefined> {
  if (isDotSegment(id)) return undefined;
  if (list === 'group-grants') {
    const path = scimGroupPath(param(visit, 'orgId'), id);
    const query = { attributes: 'displayName' };
    const group = await orAbsent(visit.api.get<{ displayName: string }>(path, query));
    return group && { name: group.displayName, folder: 'groups' };
  }
  const user = await nameOfUser(visit, id);
  if (user === undefined) return undefined;
  const { kind, name, userName } = user;
  return { name, userName, folder: kind === 'person' ? 'users' : 'service-users' };
}

/** The identifier of the holder with this name: a login name, the user name of a program or the name of a group. Another text is itself. */
export async function holderNamed(visit: ConsoleVisit, list: AssignmentList, typed: string): Promise<string> {
  if (list === 'group-grants') {
    const { items } = await findGroups(visit, param(visit, 'orgId'), {
      search: typed.slice(0, 200),
      limit: 20,
    });
    return items.find(({ displayName }) => displayName === typed)?.id ?? typed;
  }
  const filter = `userName eq ${JSON.stringify(typed)}`;
  const people = { filter, attributes: 'userName', count: 1 };
  const found = await visit.api.get<{ Resources?: { id: string }[] }>(scimOf(visit, '/Users'), people);
  const person = found.Resources?.[0]?.id;
  if (person !== undefined) return person;
  const programs = await visit.api.get<{ items: { id: string; userName: string }[] }>(
    apiOf(visit, '/service-users'),
    { limit: 100 },
  );
  const name = typed.toLowerCase();
  return programs.items.find(({ userName }) => userName.toLowerCase() === name)?.id ?? typed;
}

/** The keys that a list may give. `isCut` if there are more than a form shows. */
export async function offeredRoles(
  visit: ConsoleVisit,
  list: AssignmentList,
): Promise<{ roles: readonly { key: string; displayName: string }[]; isCut: boolean }> {
  if (list === 'members') {
    return { roles: memberRoles.map((key) => ({ key, displayName: key })), isCut: false };
  }
  const { items, next } = await visit.api.get<ListedRoles>(projectApi(visit, '/roles'), { limit: 100 });
  return { roles: items, isCut: next !== undefined };
}

/** The roles over a project itself. */
const memberRoles = ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER'] as const;
