import type { AssignmentsStore } from '#src/access/projects/index.js';
import type { Account } from '#src/accounts/index.js';
import type { IdentityLinksStore } from '#src/accounts/person-lists/index.js';
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

/** The events that give a person the `externalId` that clients share, or take it away. However many other changes there were, they are found. */
const identifying = {
  eventTypes: ['user.human.added', 'user.human.changed'],
  attribute: 'externalId',
  limit: 1,
} as const;

/**
 * Whether a service user identifies the person: by an externalId of its own, or by the shared one, which it gave before it had its own.
 * Whoever else changes the shared one later ends that.
 */
export async function wasProvisionedBy(
  { events }: Pick<AdoptionDeps, 'events'>,
  user: Pick<User, 'id' | 'orgId' | 'clientExternalIds'>,
  serviceUserId: string,
): Promise<boolean> {
  const own = givenByClient(user, serviceUserId);
  // What the client gave as its own decides alone, and no event is read.
  if (own !== undefined) return own.value !== undefined;
  const { id: aggregateId, orgId: resourceOwner } = user;
  const [last] = await events.search({ aggregateId, resourceOwner, ...identifying, ascending: false });
  return last?.editor.userId === serviceUserId;
}

/** Why a person is not linked who has the identifier, in words for the owner of the connection. */
const obstacles = {
  otherClient: 'another client, or somebody here, gave the externalId last',
  passwordsOff: 'others added the user, and the sign-in policy has no passwords',
  otherConnection: 'the user belongs to another connection',
  ownFactors: 'others added the user, who has a role, a second factor or a passkey',
} as const;

/** By which rule the SCIM client of a connection links a person, or what is in the way. */
type ProvisioningVerdict =
  | { readonly rule: 'provisioned' | 'adopted' }
  | { readonly obstacle: (typeof obstacles)[keyof typeof obstacles] };

/**
 * Finds the rule by which a connection links a person. The SCIM client of the connection must identify the person: see
 * {@link wasProvisionedBy}.
 * - `provisioned`: the client also added the person.
 * - `adopted`: the client found the person here, as Entra does by the login name, and nothing speaks against it.
 * @param of `provisionedBy`: the SCIM client of the connection
 */
export async function provisioningVerdict(
  deps: AdoptionDeps,
  {
    connection,
    organization,
    provisionedBy,
  }: { connection: Connection; organization: Organization; provisionedBy: string },
  account: Account,
): Promise<ProvisioningVerdict> {
  const because = (obstacle: keyof typeof obstacles) => ({ obstacle: obstacles[obstacle] });
  if (!(await wasProvisionedBy(deps, account.user, provisionedBy))) return because('otherClient');
  const addedBy = await whoAdded(deps, account.user);
  if (addedBy === provisionedBy) return { rule: 'provisioned' };
  if (passwordsAreOff(organization.signInPolicy, deps.clock.now())) return because('passwordsOff');
  if (await belongsToOther(deps, connection, { addedBy, account })) return because('otherConnection');
  return (await hasNothingOfOwn(deps, account)) ? { rule: 'adopted' } : because('ownFactors');
}

async function whoAdded(
  { events }: Pick<AdoptionDeps, 'events'>,
  { id: aggregateId, orgId: resourceOwner }: Pick<User, 'id' | 'orgId'>,
): Promise<string | undefined> {
  const [added] = await events.search({
    ...{ aggregateId, resourceOwner, eventTypes: ['user.human.added'] },
    ...{ limit: 1, ascending: true },
  });
  return added?.editor.userId;
}

/**
 * Whether a person belongs to another connection of the organization: by an identity there, or by its SCIM client. That client added the person,
 * gave the shared `externalId`, or was the first to give one of its own. The client of one provider, such as that of contractors, becomes
 * nobody of another one.
 */
async function belongsToOther(
  deps: Pick<AdoptionDeps, 'caches' | 'events' | 'identityLinks'>,
  { id, orgId, linking }: Connection,
  { addedBy, account: { user } }: { addedBy: string | undefined; account: Account },
): Promise<boolean> {
  const others = (await deps.caches.connections.get(orgId)).filter((other) => other.id !== id);
  if (others.length === 0) return false;
  const clients = new Set(others.flatMap((other) => other.linking.provisionedBy ?? []));
  if (linking.provisionedBy !== undefined) clients.delete(linking.provisionedBy);
  if (addedBy !== undefined && clients.has(addedBy)) return true;
  const first = user.clientExternalIds?.find(
    ({ serviceUserId, value }) =>
      value !== undefined && (serviceUserId === linking.provisionedBy || clients.has(serviceUserId)),
  );
  if (first !== undefined && first.serviceUserId !== linking.provisionedBy) return true;
  const [list] = await deps.identityLinks.findMany(orgId, [user.id]);
  const linked = new Set(Object.values(list?.items ?? {}).map(({ connectionId }) => connectionId));
  if (others.some((other) => linked.has(other.id))) return true;
  const of = { aggregateId: user.id, resourceOwner: orgId, editorUserIds: [...clients] };
  return (
    clients.size > 0 && (await deps.events.search({ ...of, ...identifying, ascending: false })).length > 0
  );
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
