import {
  type Membership,
  type Organization,
  policyOf,
  type SignInPolicy,
  type User,
} from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

/** The caches that {@link policyFor} asks. */
export interface PolicyForCaches {
  readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
  /** Every role of a user, those of its groups included. */
  readonly memberships: Pick<Cache<Membership[]>, 'get'>;
}

/**
 * The policy that counts for a person at this moment, of the cached organization. Whom the policy names as a break-glass owner breaks the glass only
 * while being an owner. So the cached roles of the few who are named are asked for, and of nobody else.
 */
export async function policyFor(
  { organizations, memberships }: PolicyForCaches,
  { id, orgId }: Pick<User, 'id' | 'orgId'>,
): Promise<SignInPolicy | undefined> {
  const policy = (await organizations.get(orgId))?.signInPolicy;
  if (policy?.breakGlassOwners?.includes(id) !== true) return policy;
  const roles = await memberships.get(id);
  return roles.some(({ role, orgId: owned }) => role === 'ORG_OWNER' && owned === orgId)
    ? policyOf(policy, id)
    : policy;
}
