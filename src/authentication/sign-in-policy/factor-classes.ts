import type { Account, AccountsStore, FactorCount } from '#src/accounts/index.js';
import type { IdentityLinksStore, WebauthnCredentialsStore } from '#src/accounts/person-lists/index.js';
import { type OwnedFactors, receivesMail } from '#src/directory/index.js';

export interface FactorDeps {
  readonly accounts: Pick<AccountsStore, 'countFactors' | 'findEach'>;
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findMany' | 'pageOfAll'>;
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany' | 'pageOfAll'>;
}

/** A person and what the person has to sign in with. */
export interface PersonWithFactors {
  readonly account: Account;
  readonly owned: OwnedFactors;
}

/** How many active people have exactly these factors. */
export type FactorClasses = Map<string, { readonly owned: OwnedFactors; people: number }>;

const pageLength = 1_000;

/**
 * Counts the active people of an organization by what they have to sign in with. One query counts all. Those with passkeys and links to other
 * providers, which are kept apart, are then read by pages.
 */
export async function countClasses(deps: FactorDeps, orgId: string): Promise<FactorClasses> {
  const classes: FactorClasses = new Map();
  for (const { people, ...plain } of await deps.accounts.countFactors(orgId)) {
    addTo(classes, withoutLists(plain), people);
  }
  for (const lists of [deps.webauthnCredentials, deps.identityLinks]) {
    const isFirst = lists === deps.webauthnCredentials;
    for await (const ids of holdersOf(lists, orgId)) {
      for (const { owned } of await readPeople(deps, orgId, ids)) {
        // Whoever has both lists was moved with the first.
        if (!isFirst && owned.passkey) continue;
        addTo(classes, withoutLists(owned), -1);
        addTo(classes, owned, 1);
      }
    }
  }
  return classes;
}

/** Adds people to a class, or takes them out of it. */
export function addTo(classes: FactorClasses, owned: OwnedFactors, people: number): void {
  const key = JSON.stringify([owned.password, owned.totp, owned.passkey, owned.connection, owned.mail]);
  const known = classes.get(key);
  if (known === undefined) classes.set(key, { owned, people });
  else known.people += people;
}

/** The active ones of these people, with what they have. */
export async function readPeople(
  { accounts, webauthnCredentials, identityLinks }: FactorDeps,
  orgId: string,
  ids: readonly string[],
): Promise<PersonWithFactors[]> {
  const [found, passkeys, links] = await Promise.all([
    accounts.findEach(orgId, ids),
    webauthnCredentials.findMany(orgId, ids),
    identityLinks.findMany(orgId, ids),
  ]);
  const holders = (lists: readonly { userId: string; items: object }[]) =>
    new Set(lists.filter(({ items }) => Object.keys(items).length > 0).map(({ userId }) => userId));
  const [withPasskey, withLink] = [holders(passkeys), holders(links)];
  return found
    .filter(({ user }) => user.active)
    .map((account) => ({
      account,
      owned: {
        password: account.password !== undefined,
        totp: account.totp !== undefined,
        passkey: withPasskey.has(account.user.id),
        connection: withLink.has(account.user.id),
        mail: receivesMail(account.user),
      },
    }));
}

/** The same without what is kept in lists. */
function withoutLists({ password, totp, mail }: Omit<FactorCount, 'people'>): OwnedFactors {
  return { password, totp, mail, passkey: false, connection: false };
}

/** The people who have a list with items, by pages. */
async function* holdersOf(
  lists: FactorDeps['webauthnCredentials'] | FactorDeps['identityLinks'],
  orgId: string,
): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const page = await lists.pageOfAll(orgId, { limit: pageLength, ...(after !== undefined && { after }) });
    after = page.length === pageLength ? page.at(-1)?.userId : undefined;
    yield page.filter(({ items }) => Object.keys(items).length > 0).map(({ userId }) => userId);
  } while (after !== undefined);
}
