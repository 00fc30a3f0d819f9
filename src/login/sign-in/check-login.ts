import type { Account } from '#src/accounts/index.js';
import {
  type CheckOrigin,
  type CheckOutcome,
  checkUnsettledPassword,
  findAccount,
  type LoginName,
} from '#src/authentication/index.js';
import { findHookedOrganization, takeOverPerson } from '#src/authentication/migration-hook/index.js';
import type { PastSignIns } from '#src/sessions/sessions.js';
import type { LoginNeeds } from '../needs/needs.js';

type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'migrationHooks'
  | 'mongo'
  | 'oneTimeLinks'
  | 'organizations'
  | 'passwords'
  | 'quotas'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'batchChangedUser'
  | 'batchNewUser'
>;

/** What a person typed into the page for login name and password. */
interface LoginAttempt {
  readonly name: LoginName;
  readonly password: string;
  /** The sign-ins at the browser, which has more attempts for people who signed in there before. */
  readonly pastSignIns: PastSignIns;
  readonly origin: CheckOrigin;
}

/** The account of a right password, or why there is none. */
export type LoginOutcome =
  | { readonly kind: 'right'; readonly account: Account }
  | Exclude<CheckOutcome, { readonly kind: 'right' }>;

/**
 * Checks the password of the account that a login name means. If the organization has a migration hook, a person without a password here
 * is taken over from the former service.
 * @returns `settle` must be called, whatever the outcome is: see `checkBegun`
 */
export async function checkLogin(
  deps: Deps,
  attempt: LoginAttempt,
): Promise<{ readonly outcome: LoginOutcome; settle(): Promise<void> }> {
  const { name, password, pastSignIns, origin } = attempt;
  const { text: loginName, organization = '', orgId } = name;
  const lookUp = lookUpOf(deps);
  const findNamed = () => findAccount(lookUp, name);
  const account = await findNamed();
  const { outcome, settle } = await checkUnsettledPassword(deps, {
    account,
    loginName,
    organization,
    orgId,
    password,
    earlier: account && pastSignIns.get(account.user.id),
    ...origin,
    takeOver: async () => {
      const hook = await findHookedOrganization(lookUp, name);
      return hook && takeOverPerson(deps, { ...hook, account, loginName, password, findAgain: findNamed });
    },
  });
  if (outcome.kind !== 'right') return { outcome, settle };
  const signedIn = outcome.takenOver ?? account;
  return {
    outcome: signedIn === undefined ? { kind: 'wrong' } : { kind: 'right', account: signedIn },
    settle,
  };
}

/**
 * The time that a failed sign-in takes in all, in milliseconds, so that the time tells nothing. It includes the time of the hook that the
 * name leads to, whether the hook was asked or not.
 */
export async function failureMs(deps: Deps, name: LoginName): Promise<number> {
  const hook = await findHookedOrganization(lookUpOf(deps), name);
  return deps.config.loginFailureMilliseconds + (hook?.organization.migrationHook.timeoutMs ?? 0);
}

/** How a login name finds accounts and organizations. The organizations come from the cache where they can. */
function lookUpOf({ accounts, caches, clock, organizations }: Deps) {
  const { findByDomain, findByName } = organizations;
  return {
    accounts,
    caches,
    clock,
    organizations: { find: caches.organizations.get, findByDomain, findByName },
  };
}
