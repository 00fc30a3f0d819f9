import type { AssignmentsStore } from '#src/access/projects/index.js';
import type { Account } from '#src/accounts/index.js';
import type { Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Membership, User } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface AdoptionDeps {
  readonly caches: { readonly memberships: Pick<Cache<Membership[]>, 'get'> };
  readonly projectMembers: Pick<AssignmentsStore, 'ofHolder'>;
}

/** The most changes of a person that are read to find who gave the `externalId`. */
const mostRead = 200;

/**
 * How a service user came to provision a person. The events tell. It gave the `externalId` that the person has: whoever else changes the value
 * later ends the trust. It `added` the person too, or `adopted` somebody who was there before, as Entra does with people of the same login name.
 * @returns undefined if it did not, also after {@link mostRead} changes of other attributes
 */
export async function wasProvisionedBy(
  { events }: { readonly events: Pick<EventsStore, 'search'> },
  { id: aggregateId, orgId: resourceOwner }: Pick<User, 'id' | 'orgId'>,
  serviceUserId: string,
): Promise<'added' | 'adopted' | undefined> {
  const of = { aggregateId, resourceOwner };
  const [[added], found] = await Promise.all([
    events.search({ ...of, eventTypes: ['user.human.added'], limit: 1, ascending: true }),
    events.search({
      ...{ ...of, limit: mostRead, ascending: false },
      eventTypes: ['user.human.added', 'user.human.changed'],
    }),
  ]);
  if (found.find(setExternalId)?.editor.userId !== serviceUserId) return undefined;
  return added?.editor.userId === serviceUserId ? 'added' : 'adopted';
}

/**
 * Whether the `externalId` of somebody who was adopted says who the person is. Whoever holds the credential of the client chooses it, and so who
 * signs in as this person. So the person must have nothing that the credential alone does not reach: no role, also none by a group or in a
 * project, no second factor and no passkey. The client could give such a person another password, too. Everybody else proves the account once.
 */
export async function mayBeAdopted(
  { caches, projectMembers }: AdoptionDeps,
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
