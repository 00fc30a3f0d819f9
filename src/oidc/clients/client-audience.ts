import { type RefusedProjectDeps, refusedProject } from '../issuance/refused-project.js';
import { type Client, clientId } from './client.js';

/** The names of a client in the audience of a token: its own identifier and that of its project. */
export function audienceIdsOf(client: Client): string[] {
  const projectId = client.kind === 'application' ? client.application.projectId : undefined;
  return [clientId(client), ...(projectId === undefined ? [] : [projectId])];
}

/** Whether a token is meant for the client (RFC 7662 section 4). */
export function isInAudience(client: Client, audience: readonly string[]): boolean {
  return audienceIdsOf(client).some((id) => audience.includes(id));
}

/**
 * Whether the client accepts a token that is meant for it. One that is meant only for its project needs a project that still
 * accepts the client to which the token was issued.
 */
export async function acceptsToken(
  deps: RefusedProjectDeps,
  client: Client,
  { audience, clientOrgId }: { audience: readonly string[]; clientOrgId: string },
): Promise<boolean> {
  const id = clientId(client);
  if (audience.includes(id)) return true;
  const projects = audienceIdsOf(client).filter((audienceId) => audienceId !== id);
  return (await refusedProject(deps, projects, clientOrgId)) === undefined;
}
