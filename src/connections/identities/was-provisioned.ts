import type { Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/index.js';

/** The most changes of a person that are read to find who gave the `externalId`. */
const mostRead = 200;

/**
 * Whether a service user gave a person the `externalId` that it has. The events tell: the newest one that set the value must be of this
 * service user. Whoever else changes it later ends the trust. After {@link mostRead} changes of other attributes, nobody is known to
 * have given it.
 */
export async function wasProvisionedBy(
  { events }: { readonly events: Pick<EventsStore, 'search'> },
  { id: aggregateId, orgId: resourceOwner }: Pick<User, 'id' | 'orgId'>,
  serviceUserId: string,
): Promise<boolean> {
  const found = await events.search({
    aggregateId,
    resourceOwner,
    eventTypes: ['user.human.added', 'user.human.changed'],
    limit: mostRead,
    ascending: false,
  });
  return found.find(setExternalId)?.editor.userId === serviceUserId;
}

function setExternalId({ type, payload }: Event): boolean {
  if (type === 'user.human.added') return payload['externalId'] !== undefined;
  const { attributes } = payload;
  return Array.isArray(attributes) && attributes.includes('externalId');
}
