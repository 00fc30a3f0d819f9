import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/directory/applications/application.js';

/** The audience of a person's access token: the client, its project, and the projects of the scope. */
export function personAudience(
  { id, projectId }: Pick<Application, 'id' | 'projectId'>,
  scope: string,
): string[] {
  return [...new Set([id, ...(projectId === undefined ? [] : [projectId]), ...parseScope(scope).projects])];
}

/** The audience of a service user's access token: this service, and the projects of the scope. */
export function serviceUserAudience(issuer: string, scope: string): string[] {
  return [...new Set([issuer, ...parseScope(scope).projects])];
}
