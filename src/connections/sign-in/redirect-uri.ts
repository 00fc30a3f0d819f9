import type { Connection } from '../registry/connection.js';
import { connectionAddress } from '../registry/own-address.js';

/**
 * The redirect URI of a connection. Each has its own, so that an answer of one provider cannot arrive as that of another (RFC 9700 section
 * 4.4.2.2). It comes from the configuration alone.
 */
export function redirectUriOf(
  config: { readonly baseUrl: string },
  connection: Pick<Connection, 'orgId' | 'id'>,
): string {
  return `${connectionAddress(config, connection)}/callback`;
}

/** Where a browser comes back that was signed out at the provider: the `post_logout_redirect_uri` of the connection. */
export function signedOutUri(
  config: { readonly baseUrl: string },
  connection: Pick<Connection, 'orgId' | 'id'>,
): string {
  return `${connectionAddress(config, connection)}/signed-out`;
}
