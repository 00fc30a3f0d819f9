import { directoryErrors, permissionsIn, permittedOnInstance } from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { requireInOrganization } from '#src/http/auth/bearer-auth.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';

/**
 * Returns the organization whose data the caller may read. Returns undefined, which means all organizations, only to
 * an owner of the instance. Every other caller reads exactly one: the named organization, or the only one that the
 * roles of the caller reach.
 */
export function visibleOwner(
  { memberships, ...caller }: Principal,
  { name, orgId: asked }: { name: string; orgId: string | undefined },
): string | undefined {
  if (permittedOnInstance(memberships, 'instance.manage')) return asked;
  if (asked !== undefined) {
    const notFound = directoryErrors.organizationNotFound;
    requireInOrganization({ memberships, ...caller }, { orgId: asked, permission: 'org.read', notFound });
    return asked;
  }
  const reached = new Set(memberships.flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId])));
  const readable = [...reached].filter((orgId) => permissionsIn(memberships, orgId)?.has('org.read'));
  if (readable.length === 0) throw new AppError(tokenErrors.permissionMissing);
  if (readable.length > 1) {
    throw new AppError(directoryErrors.valueMissing, {
      detail: `${name} is required, because you own several organizations`,
    });
  }
  return readable[0];
}
