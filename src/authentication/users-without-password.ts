import type { AccountsStore, OneTimeLinksStore } from '#src/accounts/index.js';
import type { User } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';

/**
 * Yields the active users of an organization who have no password, in the order of their identifiers.
 * @param options `withoutLink`: only those without a link that is still valid
 */
export async function* usersWithoutPassword(
  {
    accounts,
    oneTimeLinks,
    clock,
  }: { accounts: Pick<AccountsStore, 'all'>; oneTimeLinks: Pick<OneTimeLinksStore, 'holders'>; clock: Clock },
  orgId: string,
  { withoutLink }: { withoutLink: boolean },
): AsyncGenerator<User> {
  for await (const batch of accounts.all(orgId, { withPasswords: true, withTotp: false })) {
    const users = batch.filter(({ user, password }) => user.active && !password).map(({ user }) => user);
    const ids = withoutLink ? users.map(({ id }) => id) : [];
    const holders = await oneTimeLinks.holders(orgId, ids, clock.now());
    for (const user of users) if (!holders.has(user.id)) yield user;
  }
}
