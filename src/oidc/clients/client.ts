import type { Application } from '#src/directory/applications/application.js';
import type { ClientKey } from '#src/directory/credentials/client-key.js';
import type { ServiceUser } from '#src/directory/service-users/service-user.js';

/** Who asks for tokens (RFC 6749 section 2): a program that people sign in to, or one that acts for itself. */
export type Client =
  | { readonly kind: 'application'; readonly application: Application }
  | { readonly kind: 'serviceUser'; readonly serviceUser: ServiceUser };

/** The identifier that tokens name the client by. */
export function clientId(client: Client): string {
  return client.kind === 'application' ? client.application.id : client.serviceUser.id;
}

/** The organization that the client belongs to. */
export function clientOrgId(client: Client): string {
  return client.kind === 'application' ? client.application.orgId : client.serviceUser.orgId;
}

/** The public keys that verify what the client signs. */
export function clientKeys(client: Client): readonly ClientKey[] {
  return client.kind === 'application' ? client.application.keys : client.serviceUser.keys;
}
