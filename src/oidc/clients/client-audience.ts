import type { Client } from './client.js';

/** The client_id that tokens name. */
export function clientIdOf(client: Client): string {
  return client.kind === 'application' ? client.application.id : client.serviceUser.id;
}

/** Names under which a client is found in an audience: its own and that of its project. */
export function audienceIdsOf(client: Client): string[] {
  const projectId = client.kind === 'application' ? client.application.projectId : undefined;
  return [clientIdOf(client), ...(projectId === undefined ? [] : [projectId])];
}

/** Whether the client is one of those that the token is meant for (RFC 7662 section 4). */
export function isInAudience(client: Client, audience: readonly string[]): boolean {
  return audienceIdsOf(client).some((id) => audience.includes(id));
}
