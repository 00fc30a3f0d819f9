import type { Account } from './account.js';
import type { AccountsStore } from './accounts.store.js';
import type { OrganizationsStore } from './organizations.store.js';
import { foldCase } from './search-keys.js';

export interface FindAccountDeps {
  readonly accounts: AccountsStore;
  readonly organizations: Pick<OrganizationsStore, 'find' | 'findByDomain'>;
}

export interface LoginName {
  /** As the person typed it. */
  readonly text: string;
  /** The only organization that it may be a name in. */
  readonly orgId?: string;
  /** The organization that is meant where the name alone would be ambiguous. */
  readonly preferredOrgId?: string;
}

/** Longer names belong to nobody. */
const maxLength = 400;

/**
 * Who signs in under a name: a userName, `userName@domain` with the primary domain of the organization, or an e-mail
 * address that only one user has. A name that could mean several people means none.
 */
export async function findAccount(
  deps: FindAccountDeps,
  { text, orgId, preferredOrgId }: LoginName,
): Promise<Account | undefined> {
  const key = foldCase(text.trim());
  if (key === '' || key.length > maxLength) return undefined;
  if (orgId !== undefined) {
    const organization = await deps.organizations.find(orgId);
    return organization && findWithin(deps.accounts, organization, key);
  }
  const domain = splitName(key)?.domain;
  const owner = domain === undefined ? undefined : await deps.organizations.findByDomain(domain);
  const own = owner && (await findWithin(deps.accounts, owner, key));
  if (own !== undefined) return own;
  const found = await deps.accounts.findAnywhere(key);
  return onlyOne(found) ?? onlyOne(found.filter(({ user }) => user.orgId === preferredOrgId));
}

async function findWithin(
  accounts: AccountsStore,
  { id, domains }: { id: string; domains: readonly string[] },
  key: string,
): Promise<Account | undefined> {
  const exact = await accounts.findByUserName(id, key);
  if (exact !== undefined) return exact;
  const parts = splitName(key);
  if (parts === undefined) return undefined;
  const short = parts.domain === domains[0] ? await accounts.findByUserName(id, parts.name) : undefined;
  return short ?? onlyOne(await accounts.findByEmail(id, key));
}

function splitName(key: string): { name: string; domain: string } | undefined {
  const at = key.lastIndexOf('@');
  return at > 0 ? { name: key.slice(0, at), domain: key.slice(at + 1) } : undefined;
}

function onlyOne(found: readonly Account[]): Account | undefined {
  return found.length === 1 ? found[0] : undefined;
}
