import { pathSegment } from '#src/platform/path-segment.js';
import type { Connection } from './connection.js';

/** The beginning of every address of a connection at this service. It comes from the configuration alone. */
export function connectionAddress(
  { baseUrl }: { readonly baseUrl: string },
  { orgId, id }: Pick<Connection, 'orgId' | 'id'>,
): string {
  return `${baseUrl}/login/connections/${pathSegment(orgId)}/${pathSegment(id)}`;
}
