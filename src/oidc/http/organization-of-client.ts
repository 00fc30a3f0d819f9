import { findApplication } from '#src/authorization/find-application.js';
import type { Organization } from '#src/directory/index.js';
import type { OidcNeeds } from '../needs/needs.js';

export type OrganizationOfClientDeps = Pick<OidcNeeds, 'caches'>;

/**
 * The organization in whose look a client's page is shown. A page can do without it, so a problem with the
 * client or a store leaves the page plain.
 */
export async function organizationOfClient(
  deps: OrganizationOfClientDeps,
  clientId: unknown,
): Promise<Organization | undefined> {
  if (typeof clientId !== 'string') return undefined;
  try {
    const orgId = (await findApplication(deps, clientId))?.orgId;
    return orgId === undefined ? undefined : await deps.caches.organizations.get(orgId);
  } catch {
    return undefined;
  }
}
