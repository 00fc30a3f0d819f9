import type { Organization, User } from '#src/directory/index.js';
import { type FindAccountDeps, findAccount, loginNameKey } from './find-account.js';

/** Everybody who has a login name. */
export interface NameHolders {
  /** The user whom a sign-in with the name means. Undefined if it means nobody, because the name is unknown or ambiguous. */
  readonly meant?: User;
  /** At most some twenty users with the name, the one who is meant first. */
  readonly holders: readonly NameHolder[];
}

export interface NameHolder {
  readonly user: User;
  /** Undefined if the organization is being removed. Nobody of it can sign in. */
  readonly organization: Organization | undefined;
}

/**
 * Returns whom a login name means in a sign-in without an application, and who else has it, in all organizations. Only for owners of
 * the instance: others must not learn who has a name elsewhere.
 */
export async function findNameHolders(deps: FindAccountDeps, text: string): Promise<NameHolders> {
  const key = loginNameKey(text);
  if (key === undefined) return { holders: [] };
  const [account, others] = await Promise.all([findAccount(deps, { text }), deps.accounts.findAnywhere(key)]);
  const meant = account?.user;
  const users = new Map([...(meant ? [meant] : []), ...others.map(({ user }) => user)].map((u) => [u.id, u]));
  const holders = await Promise.all(
    [...users.values()].map(async (user) => ({
      user,
      organization: await deps.caches.organizations.get(user.orgId),
    })),
  );
  return { ...(meant && { meant }), holders };
}
