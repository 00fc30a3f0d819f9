import { foldCase } from '#src/directory/index.js';

/**
 * The names that records reserve in a dry run: see `SectionContext.findReserved`. A name with an organization says that the
 * organization has the object. A name without one says that no other organization can have it.
 */
export const reservedName = {
  org: (id: string) => `org/${id}`,
  domain: (name: string) => `domain/${name}`,
  domainsOf: (orgId: string) => `domainsOf/${orgId}`,
  project: (id: string) => `project/${id}`,
  projectOf: (orgId: string, id: string) => `projectOf/${orgId}/${id}`,
  projectRole: (orgId: string, { projectId, key }: { projectId: string; key: string }) =>
    `projectRole/${orgId}/${projectId}/${key}`,
  application: (id: string) => `application/${id}`,
  /** An application that its organization has opened to the users of others. */
  openApplication: (id: string) => `openApplication/${id}`,
  applicationOf: (orgId: string, id: string) => `applicationOf/${orgId}/${id}`,
  applicationGrant: (orgId: string, clientId: string) => `applicationGrant/${orgId}/${clientId}`,
  group: (id: string) => `group/${id}`,
  groupOf: (orgId: string, id: string) => `groupOf/${orgId}/${id}`,
  groupName: (orgId: string, displayName: string) => `groupName/${orgId}/${foldCase(displayName)}`,
  groupMember: (orgId: string, { groupId, userId }: { groupId: string; userId: string }) =>
    `groupMember/${orgId}/${groupId}/${userId}`,
  /** The identifier of a record whose object has another one. */
  alias: (orgId: string, { kind, id }: { kind: string; id: string }) => `alias/${orgId}/${kind}/${id}`,
  user: (id: string) => `user/${id}`,
  userOf: (orgId: string, id: string) => `userOf/${orgId}/${id}`,
  userName: (orgId: string, userName: string) => `userName/${orgId}/${foldCase(userName)}`,
  uniqueValue: (orgId: string, key: string) => `uniqueValue/${orgId}/${key}`,
  clientName: (orgId: string, userName: string) => `clientName/${orgId}/${foldCase(userName)}`,
  /** A person, who can be in groups. Service users cannot. */
  humanUserOf: (orgId: string, id: string) => `humanUserOf/${orgId}/${id}`,
  metadata: (orgId: string, { userId, key }: { userId: string; key: string }) =>
    `metadata/${orgId}/${userId}/${key}`,
  /** What a person has of one kind, and an item of it that only one person may have. */
  personList: (orgId: string, { list, userId }: { list: string; userId: string }) =>
    `personList/${orgId}/${list}/${userId}`,
  personItem: (orgId: string, { list, key }: { list: string; key: string }) =>
    `personItem/${orgId}/${list}/${key}`,
  connection: (orgId: string, id: string) => `connection/${orgId}/${id}`,
  orgMember: (orgId: string, { userId, role }: { userId: string; role: string }) =>
    `orgMember/${orgId}/${userId}/${role}`,
  grant: (orgId: string, { projectId, holderId }: { projectId: string; holderId: string }) =>
    `grant/${orgId}/${projectId}/${holderId}`,
  groupGrant: (orgId: string, { projectId, holderId }: { projectId: string; holderId: string }) =>
    `groupGrant/${orgId}/${projectId}/${holderId}`,
  member: (orgId: string, { projectId, holderId }: { projectId: string; holderId: string }) =>
    `member/${orgId}/${projectId}/${holderId}`,
} as const;

/** The names of which one is reserved if the identifier is taken: see taken-identifiers.ts. */
export function identifierReservations(id: string): string[] {
  return [
    reservedName.org(id),
    reservedName.project(id),
    reservedName.application(id),
    reservedName.user(id),
    reservedName.group(id),
  ];
}
