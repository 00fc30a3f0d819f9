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
