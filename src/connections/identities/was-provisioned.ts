import type { Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/index.js';

/** The most changes of a person that are read to find who gave the `externalId`. */
const mostRead = 200;

/**
 * Whether a service user added a person, and gave it the `externalId` that it has. The events tell: the first one, and the newest one that set the
 * value, must be of this service user. So no client takes over a person who was there before, and whoever else changes the value later ends
 * the trust. After {@link mostRead} changes of other attributes, nobody is known to have given it.
 */
export async function wasProvisionedBy(
  { events }: { readonly events: Pick<EventsStore, 'search'> },
  { id: aggregateId, orgId: resourceOwner }: Pick<User, 'id' | 'orgId'>,
  serviceUserId: string,
): Promise<boolean> {
  const of = { aggregateId, resourceOwner };
  const [[added], found] = await Promise.all([
    events.search({ ...of, eventTypes: ['user.human.added'], limit: 1, ascending: true }),
    events.search({
      ...{ ...of, limit: mostRead, ascending: false },
      eventTypes: ['user.human.added', 'user.human.changed'],
    }),
  ]);
  return [added, found.find(setExternalId)].every((event) => event?.editor.userId === serviceUserId);
}

function setExternalId({ type, payload }: Event): boolean {
  if (type === 'user.human.added') return payload['externalId'] !== undefined;
  const { attributes } = payload;
  return Array.isArray(attributes) && attributes.includes('externalId');
}
