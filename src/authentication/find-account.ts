import type { Account, AccountsStore } from '#src/accounts/index.js';
import { foldCase, type Organization } from '#src/directory/index.js';
import {
  type OrganizationStandsDeps,
  type OrganizationsStore,
  organizationStands,
} from '#src/organizations/index.js';
import { hasProved, loginNameSince } from '#src/people/users/index.js';

export interface FindAccountDeps extends OrganizationStandsDeps {
  readonly accounts: AccountsStore;
  readonly organizations: Pick<OrganizationsStore, 'find' | 'findByDomain' | 'findByName'>;
}

export interface LoginName {
  /** The login name as the user typed it. */
  readonly text: string;
  /** If given, the name is looked up only in this organization. */
  readonly orgId?: string;
  /** The name, a verified domain or the identifier of an organization, as the user typed it. '' if none. */
  readonly organization?: string;
  /** The organization of the application. */
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
 * domain of the organization, `userName@` with its identifier, or an e-mail address.
 *
 * If several users have the name, these are asked in this order (docs/decisions/0016-whose-login-name.md):
 *
 * 1. the organization that owns the domain of the name
 * 2. the users who proved to own the address
 * 3. the organization of the application
 * 4. the user who has the name for the longest time
 *
 * Nobody is meant if two users have it for the same time.
 */
export async function findAccount(deps: FindAccountDeps, name: LoginName): Promise<Account | undefined> {
  const account = await findNamed(deps, name);
  return account && (await organizationStands(deps, account.user.orgId)) ? account : undefined;
}

async function findNamed(
  deps: FindAccountDeps,
  { text, orgId, organization = '', preferredOrgId }: LoginName,
): Promise<Account | undefined> {
  const { accounts } = deps;
  const key = loginNameKey(text);
  if (key === undefined) return undefined;
  if (orgId !== undefined) {
    const only = await deps.organizations.find(orgId);
    return only && findWithin(accounts, only, key);
  }
  if (organization.trim() !== '') {
    return findWithinAny(accounts, await namedOrganizations(deps, organization.trim()), key);
  }
  const parts = splitName(text.trim());
  if (parts !== undefined) {
    const owners = await ownersOfDomain(deps, parts.domain);
    for (const owner of owners) {
      const account = await findWithin(accounts, owner, key);
      if (account !== undefined) return account;
    }
    const proved = await accounts.findProved(key);
    const preferred = proved.find(({ user }) => user.orgId === preferredOrgId);
    if (proved.length > 0) return preferred ?? earliest(proved, key);
  }
  const preferred = preferredOrgId === undefined ? undefined : await deps.organizations.find(preferredOrgId);
  const within = preferred && (await findWithin(accounts, preferred, key));
  return within ?? earliest(await accounts.findAnywhere(key), key);
}

/** Returns the organization with this verified domain, and the one with this identifier. */
export async function ownersOfDomain(
  { organizations }: FindAccountDeps,
  domain: string,
): Promise<Organization[]> {
  const found = await Promise.all([organizations.findByDomain(foldCase(domain)), organizations.find(domain)]);
  const owners = found.filter((organization) => organization !== undefined);
  return owners.filter(({ id }, index) => owners.findIndex((other) => other.id === id) === index);
}

/** Returns the organizations that a person may mean with this text. A domain or an identifier has one owner. */
async function namedOrganizations(deps: FindAccountDeps, text: string): Promise<Organization[]> {
  if (text.length > maxLength) return [];
  const [owners, named] = await Promise.all([
    ownersOfDomain(deps, text),
    deps.organizations.findByName(text),
  ]);
  return owners.length > 0 ? owners : named;
}

/** Several organizations may have the same name. */
async function findWithinAny(
  accounts: AccountsStore,
  organizations: readonly Organization[],
  key: string,
): Promise<Account | undefined> {
  const found = await Promise.all(
    organizations.map((organization) => findWithin(accounts, organization, key)),
  );
  return earliest(
    found.filter((account) => account !== undefined),
    key,
  );
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
  return short ?? earliest(await accounts.findByEmail(id, key), key);
}

function splitName(key: string): { name: string; domain: string } | undefined {
  const at = key.lastIndexOf('@');
  return at > 0 ? { name: key.slice(0, at), domain: key.slice(at + 1) } : undefined;
}

/**
 * Returns the account that has the name for the longest time. One that proved the address comes before those that did
 * not. Undefined if two have it for the same time.
 */
function earliest(found: readonly Account[], key: string): Account | undefined {
  const proved = found.filter(({ user }) => hasProved(user, key));
  const times = (proved.length > 0 ? proved : found)
    .map((account) => ({ account, time: timeOf(account, key) }))
    .sort((a, b) => a.time - b.time);
  const [first, second] = times;
  return first?.time === second?.time ? undefined : first?.account;
}

/** A name such as `userName@domain` is as old as its userName. */
function timeOf({ user }: Account, key: string): number {
  return (loginNameSince(user, key) ?? user.loginNamesSince?.userName ?? user.created).getTime();
}
