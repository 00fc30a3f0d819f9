import { hasRoleOutside } from '#src/access/memberships/index.js';
import type { Account, AccountsStore, IdentityHolders } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { loginNameKey } from '#src/authentication/index.js';
import { givenByClient, type Membership, type Organization } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { ProvedIdentity } from '../provider/index.js';
import type { Connection } from '../registry/connection.js';
import { trustedAddress } from './claims-to-profile.js';
import { type CreatePersonDeps, createPerson } from './create-person.js';
import { identityHolder, knownPerson, type LinkDeps, type LinkRule, linkIdentity } from './link-identity.js';
import { PersonRefused } from './sign-in-refusal.js';
import { type AdoptionDeps, provisioningVerdict } from './was-provisioned.js';

export interface FindPersonDeps extends LinkDeps, CreatePersonDeps, Pick<AdoptionDeps, 'projectMembers'> {
  readonly accounts: AccountsStore;
  readonly identityLinks: LinkDeps['identityLinks'] & IdentityHolders;
  readonly events: EventsStore;
  readonly caches: LinkDeps['caches'] & { readonly memberships: Pick<Cache<Membership[]>, 'get'> };
}

export interface Arrival {
  readonly connection: Connection;
  /** The organization of the connection. */
  readonly organization: Organization;
  readonly proved: ProvedIdentity;
}

/**
 * Returns the account of somebody whom the provider of a connection confirmed. An identity that is known belongs to its person. A new one is
 * linked by the rules of the connection, or a person is created, or nobody signs in. That an account has no password proves nothing.
 * @throws PersonRefused
 */
export async function findPerson(deps: FindPersonDeps, arrival: Arrival): Promise<Account> {
  const { connection, proved } = arrival;
  const identity = { orgId: connection.orgId, connectionId: connection.id, subject: proved.subject };
  const known = await knownPerson(deps, identity);
  if (known !== undefined) return requireAdmitted(deps, known);
  const linkable = await linkablePerson(deps, arrival);
  if (linkable !== undefined) {
    const { account, rule } = linkable;
    await requireAdmitted(deps, account);
    const { id: userId } = account.user;
    await linkIdentity(deps, { ...identity, userId, rule, editor: { userId, service: 'login' } });
    return account;
  }
  // Who may have an account here is asked first.
  if (connection.linking.byPerson) throw new PersonRefused('unknownPerson');
  return findOrAddPerson(deps, arrival);
}

/**
 * Returns the account of an identity that no rule links, or adds its person.
 * @throws PersonRefused
 */
export async function findOrAddPerson(deps: FindPersonDeps, arrival: Arrival): Promise<Account> {
  const { connection, proved } = arrival;
  if (connection.creation === 'refuse')
    throw new PersonRefused('unknownPerson', undefined, await whyUnlinked(deps, arrival));
  const identity = { orgId: connection.orgId, connectionId: connection.id, subject: proved.subject };
  const known = await knownPerson(deps, identity);
  const created = known ?? (await createPerson(deps, { ...arrival, identity }));
  // Another first sign-in of the same identity was faster.
  const account = created ?? (await knownPerson(deps, identity));
  if (account === undefined) throw new PersonRefused('valueTaken');
  return requireAdmitted(deps, account);
}

/**
 * Links an identity to a person who has proved the account freshly, and the identity at its provider. Nothing changes if the person has it.
 * @throws PersonRefused
 */
export async function linkProvedPerson(
  deps: FindPersonDeps,
  {
    connection: { orgId, id: connectionId },
    subject,
    account,
    editor,
  }: { connection: Connection; subject: string; account: Account; editor: Editor },
): Promise<void> {
  const { id: userId } = account.user;
  if (account.user.orgId !== orgId) throw new PersonRefused('unknownPerson');
  await requireAdmitted(deps, account);
  const identity = { orgId, connectionId, subject };
  const holder = await identityHolder(deps, identity);
  if (holder === userId) return;
  if (holder !== undefined) throw new PersonRefused('identityTaken', userId);
  await linkIdentity(deps, { ...identity, userId, rule: 'person', editor });
}

/**
 * Returns the account if it may sign in by a connection of its organization.
 * @throws PersonRefused `inactive`, `roleOutside`
 */
export async function requireAdmitted(
  { caches }: Pick<FindPersonDeps, 'caches'>,
  account: Account,
): Promise<Account> {
  const { user } = account;
  if (!user.active) throw new PersonRefused('inactive', user.id);
  if (await hasRoleOutside(caches, user)) throw new PersonRefused('roleOutside', user.id);
  return account;
}

interface Linkable {
  readonly account: Account;
  readonly rule: LinkRule;
}

type LinkingDeps = Pick<FindPersonDeps, 'accounts'> & AdoptionDeps;

/** The person to whom a rule of the connection links the identity. @throws PersonRefused `ambiguous` */
export async function linkablePerson(deps: LinkingDeps, arrival: Arrival): Promise<Linkable | undefined> {
  const { connection, organization, proved } = arrival;
  const identified = await identifiedPerson(deps, arrival);
  if (identified !== undefined && 'rule' in identified) return identified;
  const isByDomain = connection.linking.byDomain;
  const address = isByDomain ? trustedAddress(connection, organization, proved.claims) : undefined;
  const key = address === undefined ? undefined : loginNameKey(address);
  if (key === undefined) return undefined;
  const account = only(await deps.accounts.findByEmail(organization.id, key));
  return account && { account, rule: 'domain' };
}

/**
 * Why nobody is linked although a person has the identifier that arrived, for the owner of the connection. It names the person, and has no text of the
 * provider. '' if nobody has it.
 */
async function whyUnlinked(deps: LinkingDeps, arrival: Arrival): Promise<string> {
  try {
    const identified = await identifiedPerson(deps, arrival);
    if (identified === undefined || 'rule' in identified) return '';
    return `The user ${identified.account.user.id} has the identifier, but ${identified.obstacle}`;
  } catch (error) {
    if (error instanceof PersonRefused) return '';
    throw error;
  }
}

/** The person who has the identifier that arrived, and the rule that links the person or what is in its way. @throws PersonRefused `ambiguous` */
async function identifiedPerson(
  deps: LinkingDeps,
  { connection, organization, proved: { claims } }: Arrival,
): Promise<({ account: Account } & Awaited<ReturnType<typeof provisioningVerdict>>) | undefined> {
  const { provisionedBy, identifierClaim } = connection.linking;
  const value = Object.hasOwn(claims, identifierClaim) ? claims[identifierClaim] : undefined;
  if (provisionedBy === undefined || typeof value !== 'string' || value === '') return undefined;
  const account = await personOfClient(deps, { orgId: organization.id, serviceUserId: provisionedBy, value });
  if (account === undefined) return undefined;
  const verdict = await provisioningVerdict(deps, { connection, organization, provisionedBy }, account);
  return { account, ...verdict };
}

/**
 * The person whom the client of the connection knows by an identifier. It gave the person that as its own externalId. No other client can be in
 * the way of this. Otherwise it is the person's shared externalId, and the client has given the person none of its own.
 * @throws PersonRefused `ambiguous`
 */
async function personOfClient(
  { accounts }: Pick<FindPersonDeps, 'accounts'>,
  { orgId, ...own }: { orgId: string; serviceUserId: string; value: string },
): Promise<Account | undefined> {
  const identified = only(await accounts.findByClientExternalId(orgId, own));
  if (identified !== undefined) return identified;
  const shared = await accounts.findByExternalId(orgId, own.value);
  return only(shared.filter(({ user }) => givenByClient(user, own.serviceUserId) === undefined));
}

function only(found: readonly Account[]): Account | undefined {
  if (found.length > 1) throw new PersonRefused('ambiguous');
  return found[0];
}
