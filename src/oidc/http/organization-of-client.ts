import { findApplication } from '#src/authorization/find-application.js';
import type { Container } from '#src/container.js';
import type { Organization } from '#src/directory/organizations/organization.js';

export type OrganizationOfClientDeps = Pick<Container, 'caches'>;

/**
 * The organization whose look a page has that a client sent the browser to. A page needs none: whatever is wrong with
 * the client, or with a store, leaves it plain.
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
