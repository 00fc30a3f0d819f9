import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/clients/applications/index.js';
import { adminScope } from '#src/directory/index.js';

/**
 * The audience of a person's access token: the client, its project, and the projects of the scope. With the scope of
 * administration also this service.
 */
export function personAudience(
  { id, projectId }: Pick<Application, 'id' | 'projectId'>,
  { issuer, scope }: { issuer: string; scope: string },
): string[] {
  const { known, projects } = parseScope(scope);
  const projectOfClient = projectId === undefined ? [] : [projectId];
  return [...new Set([id, ...projectOfClient, ...projects, ...(known.includes(adminScope) ? [issuer] : [])])];
}

/** The audience of a service user's access token: this service, and the projects of the scope. */
export function serviceUserAudience(issuer: string, scope: string): string[] {
  return [...new Set([issuer, ...parseScope(scope).projects])];
}
