import type { Organization } from '../organizations/organization.js';
import type { OrganizationsStore } from '../organizations/organizations.store.js';
import { foldCase } from '../users/search-keys.js';
import type { Account } from './account.js';
import type { AccountsStore } from './accounts.store.js';

export interface FindAccountDeps {
  readonly accounts: AccountsStore;
  readonly organizations: Pick<OrganizationsStore, 'find' | 'findByDomain'>;
}

export interface LoginName {
  /** The login name as the user typed it. */
  readonly text: string;
  /** If given, the name is looked up only in this organization. */
  readonly orgId?: string;
  /** If this organization has the name, its user is meant. */
  readonly preferredOrgId?: string;
}

/** Longest login name, in characters. A longer one matches nobody. */
const maxLength = 400;

/** Returns the form in which a login name is compared. Undefined for a name that is empty or too long. */
export function loginNameKey(text: string): string | undefined {
  const name = text.trim();
  return name === '' || name.length > maxLength ? undefined : foldCase(name);
}

/**
 * Returns the account that a login name means, or undefined. The name is a userName, `userName@domain` with the primary
 * domain of the organization, `userName@` with its identifier, or an e-mail address that only one user has. An
 * ambiguous name matches nobody, unless the application's organization, the user's own domain or a verified address
 * decides.
 */
export async function findAccount(
  deps: FindAccountDeps,
  { text, orgId, preferredOrgId }: LoginName,
): Promise<Account | undefined> {
  const key = loginNameKey(text);
  if (key === undefined) return undefined;
  if (orgId !== undefined) {
    const organization = await deps.organizations.find(orgId);
    return organization && findWithin(deps.accounts, organization, key);
  }
  for (const organization of await likelyOrganizations(deps, text.trim(), preferredOrgId)) {
    const account = await findWithin(deps.accounts, organization, key);
    if (account !== undefined) return account;
  }
  const found = await deps.accounts.findAnywhere(key);
  return found.length > 1 ? onlyOne(await deps.accounts.findProved(key)) : found[0];
}

/** Returns the organizations to search before all others, the most likely one first. */
async function likelyOrganizations(
  { organizations }: FindAccountDeps,
  name: string,
  preferredOrgId: string | undefined,
): Promise<Organization[]> {
  const after = splitName(name)?.domain;
  const found = await Promise.all([
    preferredOrgId === undefined ? undefined : organizations.find(preferredOrgId),
    after === undefined ? undefined : organizations.findByDomain(foldCase(after)),
    after === undefined ? undefined : organizations.find(after),
  ]);
  return found.filter((organization) => organization !== undefined);
}

async function findWithin(
  accounts: AccountsStore,
  { id, domains }: Pick<Organization, 'id' | 'domains'>,
  key: string,
): Promise<Account | undefined> {
  const exact = await accounts.findByUserName(id, key);
  if (exact !== undefined) return exact;
  const parts = splitName(key);
  if (parts === undefined) return undefined;
  const isOwn = parts.domain === domains[0] || parts.domain === foldCase(id);
  const short = isOwn ? await accounts.findByUserName(id, parts.name) : undefined;
  return short ?? onlyOne(await accounts.findByEmail(id, key));
}

function splitName(key: string): { name: string; domain: string } | undefined {
  const at = key.lastIndexOf('@');
  return at > 0 ? { name: key.slice(0, at), domain: key.slice(at + 1) } : undefined;
}

function onlyOne(found: readonly Account[]): Account | undefined {
  return found.length === 1 ? found[0] : undefined;
}
