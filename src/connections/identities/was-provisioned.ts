import type { AssignmentsStore } from '#src/access/projects/index.js';
import type { Account } from '#src/accounts/index.js';
import type { IdentityLinksStore } from '#src/accounts/person-lists/index.js';
import type { Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import {
  givenByClient,
  type Membership,
  type Organization,
  passwordsAreOff,
  type User,
} from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Connection } from '../registry/connection.js';

export interface AdoptionDeps {
  readonly events: Pick<EventsStore, 'search'>;
  readonly clock: Clock;
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany'>;
  readonly caches: {
    readonly memberships: Pick<Cache<Membership[]>, 'get'>;
    readonly connections: Pick<Cache<readonly Connection[]>, 'get'>;
  };
  readonly projectMembers: Pick<AssignmentsStore, 'ofHolder'>;
}

/** The most changes of a person that are read to find who gave the shared `externalId`. */
const mostRead = 200;

/** How a person came here, as the events tell. */
interface Provenance {
  /** Who added the person. */
  readonly addedBy: string | undefined;
  /** Who set the `externalId` that clients share, the newest first. */
  readonly identifiedBy: readonly string[];
  /** Whether older changes may not have been read. */
  readonly isCut: boolean;
}

async function readProvenance(
  { events }: Pick<AdoptionDeps, 'events'>,
  { id: aggregateId, orgId: resourceOwner }: Pick<User, 'id' | 'orgId'>,
): Promise<Provenance> {
  const of = { aggregateId, resourceOwner };
  const [[added], found] = await Promise.all([
    events.search({ ...of, eventTypes: ['user.human.added'], limit: 1, ascending: true }),
    events.search({
      ...{ ...of, limit: mostRead, ascending: false },
      eventTypes: ['user.human.added', 'user.human.changed'],
    }),
  ]);
  return {
    addedBy: added?.editor.userId,
    identifiedBy: found.filter(setExternalId).map(({ editor }) => editor.userId),
    isCut: found.length === mostRead,
  };
}

/**
 * Whether a service user identifies the person: by an externalId of its own, or by the shared one, which it gave before it had its own.
 * Whoever else changes the shared one later ends that.
 * @returns false also after {@link mostRead} changes of other attributes
 */
export async function wasProvisionedBy(
  deps: Pick<AdoptionDeps, 'events'>,
  user: Pick<User, 'id' | 'orgId' | 'clientExternalIds'>,
  serviceUserId: string,
): Promise<boolean> {
  // What the client gave as its own decides alone, and no event is read.
  const isOwn = givenByClient(user, serviceUserId) !== undefined;
  return isIdentifiedBy(user, serviceUserId, isOwn ? { identifiedBy: [] } : await readProvenance(deps, user));
}

function isIdentifiedBy(
  user: Pick<User, 'clientExternalIds'>,
  serviceUserId: string,
  { identifiedBy }: Pick<Provenance, 'identifiedBy'>,
): boolean {
  const own = givenByClient(user, serviceUserId);
  return own === undefined ? identifiedBy[0] === serviceUserId : own.value !== undefined;
}

/**
 * Finds the rule by which a connection links a person. The SCIM client of the connection must identify the person: see
 * {@link wasProvisionedBy}.
 * - `provisioned`: the client also added the person.
 * - `adopted`: the client found the person here, as Entra does by the login name, and nothing speaks against it.
 * @returns undefined if no rule links the person
 */
export async function provisioningRule(
  deps: AdoptionDeps,
  { connection, organization }: { connection: Connection; organization: Organization },
  account: Account,
): Promise<'provisioned' | 'adopted' | undefined> {
  const { provisionedBy } = connection.linking;
  if (provisionedBy === undefined) return undefined;
  const provenance = await readProvenance(deps, account.user);
  if (!isIdentifiedBy(account.user, provisionedBy, provenance)) return undefined;
  if (provenance.addedBy === provisionedBy) return 'provisioned';
  if (passwordsAreOff(organization.signInPolicy, deps.clock.now())) return undefined;
  const isFree = !(await belongsToOther(deps, connection, { provenance, account }));
  return isFree && (await hasNothingOfOwn(deps, account)) ? 'adopted' : undefined;
}

/**
 * Whether a person belongs to another connection of the organization: by an identity there, or by its SCIM client. That client added the person,
 * gave the shared `externalId`, or was the first to give one of its own. The client of one provider, such as that of contractors, becomes
 * nobody of another one.
 */
async function belongsToOther(
  { caches, identityLinks }: Pick<AdoptionDeps, 'caches' | 'identityLinks'>,
  { id, orgId, linking }: Connection,
  { provenance, account }: { provenance: Provenance; account: Account },
): Promise<boolean> {
  const others = (await caches.connections.get(orgId)).filter((other) => other.id !== id);
  if (others.length === 0) return false;
  if (provenance.isCut) return true;
  const { addedBy, identifiedBy } = provenance;
  const clients = new Set(others.map((other) => other.linking.provisionedBy));
  clients.delete(linking.provisionedBy);
  if ([addedBy, ...identifiedBy].some((editor) => editor !== undefined && clients.has(editor))) return true;
  const first = account.user.clientExternalIds?.find(
    ({ serviceUserId, value }) =>
      value !== undefined && (serviceUserId === linking.provisionedBy || clients.has(serviceUserId)),
  );
  if (first !== undefined && first.serviceUserId !== linking.provisionedBy) return true;
  const [list] = await identityLinks.findMany(orgId, [account.user.id]);
  const linked = new Set(Object.values(list?.items ?? {}).map(({ connectionId }) => connectionId));
  return others.some((other) => linked.has(other.id));
}

/**
 * Whether a person has nothing that is out of reach for a SCIM client: no second factor, no passkey and no role at this service. A role may come
 * by a group or a project. Whoever holds the credential chooses the `externalId`, and so who signs in as this person. The client
 * could give such a person another password, too. Everybody else proves the account once. A role in an application does not count, because the
 * client may change the passwords of those who have one.
 */
async function hasNothingOfOwn(
  { caches, projectMembers }: Pick<AdoptionDeps, 'caches' | 'projectMembers'>,
  { user: { id, orgId }, totp, passkeys }: Account,
): Promise<boolean> {
  if (totp !== undefined || passkeys !== undefined) return false;
  const held = await Promise.all([caches.memberships.get(id), projectMembers.ofHolder(orgId, id)]);
  return held.every(({ length }) => length === 0);
}

function setExternalId({ type, payload }: Event): boolean {
  if (type === 'user.human.added') return payload['externalId'] !== undefined;
  const { attributes } = payload;
  return Array.isArray(attributes) && attributes.includes('externalId');
}
