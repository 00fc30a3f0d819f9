import type { Account } from '#src/accounts/index.js';
import { afterRevocation } from '../http/begin-anew.js';
import type { LoginNeeds } from '../needs/needs.js';

/** Returns the account with the password that was just set, at a time when a sign-in may continue. */
export async function rereadAccount(
  { accounts }: Pick<LoginNeeds, 'accounts'>,
  account: Account,
): Promise<Account> {
  await afterRevocation();
  const { id, orgId } = account.user;
  return (await accounts.find(orgId, id)) ?? account;
}
