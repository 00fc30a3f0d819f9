import { hasRoleOutside, policyFor } from '#src/access/memberships/index.js';
import type { Account } from '#src/accounts/index.js';
import { hasServingLink, type IdentityLinksStore } from '#src/accounts/person-lists/index.js';
import {
  directoryErrors,
  includesAcr,
  type OwnedFactors,
  reachableAcr,
  receivesMail,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { personalDemand, type SignInRulesDeps } from './sign-in-rules.js';

/**
 * Checks what a person has before and after a change.
 * @throws AppError `directory.lastDemandedFactor`
 */
export type FactorGuard = (before: Account, after: Account) => void;

interface FactorGuardDeps extends Omit<SignInRulesDeps, 'config'> {
  readonly caches: SignInRulesDeps['caches'] & {
    /** The connections of an organization, also those that are switched off. */
    readonly connections: Pick<Cache<readonly { readonly id: string; readonly enabled: boolean }[]>, 'get'>;
  };
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany'>;
}

/**
 * Returns the check that people keep what they need to sign in: something that may begin a sign-in, and the level that the organization demands
 * of them. It reads all that it must know now, because its caller asks it in the middle of a write. A person who lacks it already loses nothing.
 */
export async function guardFactors(
  deps: FactorGuardDeps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<FactorGuard> {
  const policy = await policyFor(deps.caches, { id, orgId });
  const [{ acr }, [links]] = await Promise.all([
    personalDemand(deps, policy, { orgId, userId: id }),
    deps.identityLinks.findMany(orgId, [id]),
  ]);
  const connection =
    links !== undefined &&
    hasServingLink(links.items, await deps.caches.connections.get(orgId)) &&
    !(await hasRoleOutside(deps.caches, { id, orgId }));
  const meets = (account: Account) => {
    const reached = reachableAcr(policy, ownedBy(account, connection), deps.clock.now());
    return reached !== undefined && includesAcr(reached, acr);
  };
  return (before, after) => {
    if (meets(before) && !meets(after)) throw new AppError(directoryErrors.lastDemandedFactor);
  };
}

function ownedBy({ user, password, totp, passkeys }: Account, connection: boolean): OwnedFactors {
  return {
    password: password !== undefined,
    totp: totp !== undefined,
    passkey: passkeys !== undefined,
    connection,
    mail: receivesMail(user),
  };
}
