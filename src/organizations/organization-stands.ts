import { instanceOwned, type Organization } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface OrganizationStandsDeps {
  readonly caches: { readonly organizations: Cache<Organization | undefined> };
}

/**
 * Whether an organization exists and is not being removed. Everything that lets somebody in asks this, so that an organization ends for
 * all of its people and programs at once. The answer comes from memory.
 * @param issuedAt when the credential was issued, in seconds since 1970. A credential from before the organization was
 * added to this instance was issued by an earlier one with the same identifier
 */
export async function organizationStands(
  { caches }: OrganizationStandsDeps,
  orgId: string,
  issuedAt?: number,
): Promise<boolean> {
  if (orgId === instanceOwned) return true;
  const organization = await caches.organizations.get(orgId);
  if (organization === undefined) return false;
  const { created, imported = created } = organization;
  return issuedAt === undefined || imported.getTime() <= issuedAt * 1000;
}
