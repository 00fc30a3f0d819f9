import { pathSegment } from '#src/platform/path-segment.js';
import type { Connection } from '../registry/connection.js';

/**
 * The redirect URI of a connection. Each has its own, so that an answer of one provider cannot arrive as that of another (RFC 9700 section
 * 4.4.2.2). It comes from the configuration alone.
 */
export function redirectUriOf(
  { baseUrl }: { readonly baseUrl: string },
  { orgId, id }: Pick<Connection, 'orgId' | 'id'>,
): string {
  return `${baseUrl}/login/connections/${pathSegment(orgId)}/${pathSegment(id)}/callback`;
}
