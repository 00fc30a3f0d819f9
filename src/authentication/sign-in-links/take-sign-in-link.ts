import { type Account, type AccountsStore, credentialsStamp } from '#src/accounts/index.js';
import { foldCase, primaryEmail } from '#src/directory/index.js';
import { type OrganizationStandsDeps, organizationStands } from '#src/organizations/index.js';
import { type CheckOrigin, type RecordCheckDeps, recordCheck } from '../record-check.js';
import { mayUseSignInLink } from './begin-sign-in-link.js';
import type { SignInLink, SignInLinksStore } from './sign-in-links.store.js';

export interface TakeSignInLinkDeps extends RecordCheckDeps, OrganizationStandsDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly signInLinks: Pick<SignInLinksStore, 'take'>;
}

/**
 * Uses a mailed link. It works once.
 * @returns the account that it signs in, or undefined if it was used or is too old. Also if the policy forbids links by now, the person is
 * not active, or the address or a credential was changed since
 */
export async function takeSignInLink(
  deps: TakeSignInLinkDeps,
  secret: string,
  from: CheckOrigin,
): Promise<Account | undefined> {
  const link = await deps.signInLinks.take(secret);
  const account = link && (await findAccountOfLink(deps, link));
  if (account !== undefined)
    await recordCheck(deps, account.user, { happened: ['user.human.mail.link.check.succeeded'], from });
  return account;
}

/** The account that a mailed link would sign in at this moment. Undefined as {@link takeSignInLink} says. */
export async function findAccountOfLink(
  deps: Omit<TakeSignInLinkDeps, 'signInLinks' | 'events'>,
  { orgId, userId, email, credentialsStamp: stamp }: SignInLink,
): Promise<Account | undefined> {
  if (!(await organizationStands(deps, orgId))) return undefined;
  const [organization, account] = await Promise.all([
    deps.caches.organizations.get(orgId),
    deps.accounts.find(orgId, userId),
  ]);
  if (organization === undefined || account === undefined) return undefined;
  if (!mayUseSignInLink(account, organization, deps.clock.now())) return undefined;
  const present = primaryEmail(account.user)?.value ?? '';
  return foldCase(present) === foldCase(email) && credentialsStamp(account) === stamp ? account : undefined;
}
