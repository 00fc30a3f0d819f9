import { type Client, clientId } from './client.js';

/** Names under which a client is found in the audience of a token: its own, and that of its project. */
export function audienceIdsOf(client: Client): string[] {
  const projectId = client.kind === 'application' ? client.application.projectId : undefined;
  return [clientId(client), ...(projectId === undefined ? [] : [projectId])];
}

/** Whether the client is one of those that a token is meant for (RFC 7662 section 4). */
export function isInAudience(client: Client, audience: readonly string[]): boolean {
  return audienceIdsOf(client).some((id) => audience.includes(id));
}
