import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createEventReceiversStore, eventReceiverIndexes } from './event-receivers.store.js';
import { createEventsStore, eventIndexes, type TellPeople } from './events.store.js';

/** The collections of the room, with their indexes. */
export const auditCollections = [eventIndexes, eventReceiverIndexes];

/** What the room offers. */
export type OpenedAudit = ReturnType<typeof openAudit>;

/** Opens the log of events, and the record of who receives them. */
export function openAudit({ mongo, tell }: { readonly mongo: Mongo; readonly tell?: TellPeople }) {
  return { events: createEventsStore(mongo, tell), eventReceivers: createEventReceiversStore(mongo) };
}
