import { type RevokeUserTokensDeps, revokeTokensOf } from '#src/accounts/index.js';
import type { IdentityLinksStore } from '#src/accounts/person-lists/index.js';
import type { Membership } from '#src/directory/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { hasRoleOutside } from './has-role-outside.js';

export interface EndConnectedDeps extends RevokeUserTokensDeps {
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany'>;
  readonly caches: { readonly memberships: Pick<Cache<Membership[]>, 'get'> };
}

/**
 * Ends every session and token of people who get a role outside of their organization, if they may have signed in by a connection. A connection
 * signs in nobody with such a role, so somebody who had one before keeps the sessions. Call it in the transaction that writes the roles.
 * @param homes the organization of each user. Service users have no identities, so they may be among them
 */
export async function endConnectedSignIns(
  deps: EndConnectedDeps,
  added: readonly Pick<Membership, 'userId' | 'orgId'>[],
  { homes, transaction }: { homes: ReadonlyMap<string, string>; transaction: Transaction },
): Promise<void> {
  const outside = new Map<string, Set<string>>();
  for (const { userId, orgId } of added) {
    const home = homes.get(userId);
    if (home !== undefined && home !== orgId) outside.set(home, (outside.get(home) ?? new Set()).add(userId));
  }
  for (const [home, userIds] of outside) {
    const lists = await deps.identityLinks.findMany(home, [...userIds], transaction);
    const linked = lists.filter(({ items }) =>
      Object.values(items).some(({ connectionId }) => connectionId !== undefined),
    );
    const ended: string[] = [];
    for (const { userId: id } of linked)
      if (!(await hasRoleOutside(deps.caches, { id, orgId: home }))) ended.push(id);
    await revokeTokensOf(deps, ended, transaction);
  }
}
