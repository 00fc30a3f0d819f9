import { foldCase } from '#src/directory/search-keys.js';

/** Names of what records take, as dry runs remember them: see `SectionContext.claimed`. */
export const claimName = {
  org: (id: string) => `org/${id}`,
  domain: (name: string) => `domain/${name}`,
  orgDomain: (orgId: string, name: string) => `domain/${orgId}/${name}`,
  project: (id: string) => `project/${id}`,
  projectRole: (projectId: string, key: string) => `projectRole/${projectId}/${key}`,
  application: (id: string) => `application/${id}`,
  user: (id: string) => `user/${id}`,
  clientName: (orgId: string, userName: string) => `clientName/${orgId}/${foldCase(userName)}`,
  metadata: (userId: string, key: string) => `metadata/${userId}/${key}`,
  userGrant: (projectId: string, userId: string) => `userGrant/${projectId}/${userId}`,
  projectMember: (projectId: string, userId: string) => `projectMember/${projectId}/${userId}`,
} as const;
