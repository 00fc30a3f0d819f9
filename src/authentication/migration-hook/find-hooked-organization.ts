import { type Organization, passwordsAreOff } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { type FindAccountDeps, type LoginName, loginNameKey, ownersOfDomain } from '../find-account.js';
import type { HookedOrganization } from './migration-hooks.js';

export interface FoundHook {
  readonly organization: HookedOrganization;
  /** Whether the person or the application named the organization. Otherwise the application only belongs to it. */
  readonly isNamed: boolean;
}

/**
 * Returns the organization whose hook may see the password that was typed with a login name. Undefined if there is none.
 *
 * The answer depends on nothing but what was typed and the application, so that neither it nor the time of a sign-in tells who
 * exists. An organization gets a password only if the person or the application means it. The person means it by its identifier or
 * a verified domain. The application means it by the scope of the request, or because it belongs to it. The name of an organization
 * proves nothing.
 */
export async function findHookedOrganization(
  deps: FindAccountDeps & { readonly clock: Clock },
  { text, orgId, organization = '', preferredOrgId }: LoginName,
): Promise<FoundHook | undefined> {
  const key = loginNameKey(text);
  if (key === undefined) return undefined;
  const { get } = deps.caches.organizations;
  const hooked = hookedAt(deps.clock.now());
  if (orgId !== undefined) return hooked(await get(orgId), true);
  const typed = organization.trim();
  const domain = typed === '' ? key.slice(key.lastIndexOf('@') + 1) : typed;
  const isPlace = typed !== '' || key.lastIndexOf('@') > 0;
  const owners = isPlace && domain.length <= 400 ? await ownersOfDomain(deps, domain) : [];
  if (owners.length > 0) return owners.length === 1 ? hooked(owners[0], true) : undefined;
  if (typed !== '' || preferredOrgId === undefined) return undefined;
  return hooked(await get(preferredOrgId), false);
}

/** A hook gets no password of an organization where none signs in. */
function hookedAt(now: Date) {
  return (organization: Organization | undefined, isNamed: boolean): FoundHook | undefined => {
    const migrationHook = organization?.migrationHook;
    if (!migrationHook || passwordsAreOff(organization?.signInPolicy, now)) return undefined;
    return { organization: { ...organization, migrationHook }, isNamed };
  };
}
