import type { Collection } from 'mongodb';
import { firstIdOf } from '#src/platform/ids.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import { insertEach } from '#src/platform/mongo/insert-each.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { pacedBy, readUpTo } from '#src/platform/mongo/paced-reads.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import type { AggregateType, Event, EventType } from './event.js';

/**
 * The conditions of a search. Absent ones match everything. A search within an organization sets
 * `resourceOwner`.
 */
export interface EventQuery {
  readonly eventTypes?: readonly EventType[];
  readonly aggregateId?: string;
  readonly aggregateTypes?: readonly AggregateType[];
  readonly resourceOwner?: string;
  readonly editorUserId?: string;
  /** Only events of one of these editors. It narrows a search for one aggregate. */
  readonly editorUserIds?: readonly string[];
  /**
   * Only events that set or remove this attribute of a profile: the `added` event that has a value of it, and changes that name it. It narrows a
   * search for one aggregate.
   */
  readonly attribute?: string;
  readonly since?: Date;
  readonly until?: Date;
  /** Only events after this sequence when ascending, or before it when descending. */
  readonly sequence?: number;
  /** Only events behind this identifier, in the order of the search. */
  readonly after?: string;
  /** Only events before this identifier, in the order of time. */
  readonly before?: string;
  /** Only events up to this identifier, in the order of the search. */
  readonly through?: string;
  /** 1 to 1000. */
  readonly limit: number;
  readonly ascending: boolean;
}

/** The events. Each is written in the transaction of its change. */
export interface EventsStore {
  append(events: readonly Event[], transaction: Transaction): Promise<void>;
  /** Records an event without another change, by one write without a transaction. Simultaneous calls share one. */
  record(event: Event): Promise<void>;
  search(query: EventQuery): Promise<Event[]>;
  /** {@link search} that ends after about 4 MiB. Parsing them does not hold the event loop. */
  page(query: EventQuery): Promise<EventsRead>;
  /**
   * Returns the place up to which a search reads `size` events, whether it finds them or not. Undefined if there are fewer, or if the
   * search reads no others than it finds.
   */
  placeAfter(query: EventQuery, size: number): Promise<string | undefined>;
  /** Returns those of the aggregates whose first event has the type. @param aggregateIds at most 1,000 */
  begunBy(type: EventType, aggregateIds: readonly string[], transaction?: Transaction): Promise<Set<string>>;
}

/** The events of a search that ends by bytes too. */
interface EventsRead {
  readonly events: Event[];
  /** The size of their documents. */
  readonly bytes: number;
  /** Whether it ended before the limit although more events may follow. */
  readonly isCut: boolean;
}

/** The most bytes of events that are read together, unless a single event has more. */
export const eventPageBytes = 4_194_304;

type EventDocument = Omit<Event, 'id' | 'notice'> & { _id: string };

/** Called with events in the transaction that appends them, if there is one. */
export type TellPeople = (events: readonly Event[], transaction?: Transaction) => Promise<void> | undefined;

export const eventIndexes: CollectionIndexes = {
  collection: 'events',
  indexes: [
    { key: { 'aggregate.id': 1, sequence: 1 } },
    { key: { 'aggregate.resourceOwner': 1, _id: 1 } },
    { key: { type: 1, _id: 1 } },
    { key: { 'editor.userId': 1, _id: 1 } },
  ],
};

/** @param tell tells people what happened to them */
export function createEventsStore(mongo: Mongo, tell?: TellPeople): EventsStore {
  const events = mongo.collection<EventDocument>('events');
  // Many people sign in at once, and each sign-in is an event by itself.
  const insert = batchWrites(async (documents: readonly EventDocument[]) => {
    const errors = await insertEach(events, documents);
    return (_document, index) => {
      const error = errors.get(index);
      if (error !== undefined) throw error;
    };
  });
  return {
    async append(added, transaction) {
      const documents = added.map(({ id, notice: _notice, ...event }) => ({ _id: id, ...event }));
      const [first] = documents;
      if (first === undefined) return;
      // Inserting one document takes a fifth of a whole transaction less with `insertOne` than with
      // `insertMany`.
      if (documents.length === 1) await events.insertOne(first, { session: transaction });
      else await events.insertMany(documents, { session: transaction, ordered: true });
      await tell?.(added, transaction);
    },

    async record(added) {
      const { id, notice: _notice, ...event } = added;
      await insert({ _id: id, ...event });
      await tell?.([added]);
    },

    async search(query) {
      return (await read(events, query, Number.POSITIVE_INFINITY)).events;
    },

    page: (query) => read(events, query, eventPageBytes),

    async placeAfter(query, size) {
      const range = rangeOf(query);
      if (range === undefined) return undefined;
      const [last] = await events
        .find({ ...range, ...idsOf(query) }, { projection: { _id: 1 } })
        .sort({ _id: query.ascending ? 1 : -1 })
        .skip(size - 1)
        .limit(1)
        .toArray();
      return last?._id;
    },

    async begunBy(type, aggregateIds, session) {
      // The sequence keeps the reads to the beginnings: a user may have many events, mostly sign-ins.
      const filter = { 'aggregate.id': { $in: [...new Set(aggregateIds)] }, sequence: 1, type };
      const options = { projection: { 'aggregate.id': 1 }, ...(session !== undefined && { session }) };
      const found = await events.find(filter, options).toArray();
      return new Set(found.map(({ aggregate }) => aggregate.id));
    },
  };
}

/** The events of a query in its order. @param most the most bytes of their documents */
async function read(events: Collection<EventDocument>, query: EventQuery, most: number): Promise<EventsRead> {
  const types = typesOneByOne(query);
  if (types === undefined)
    return find(events, query, most, query.eventTypes && { $in: [...query.eventTypes] });
  const found = await Promise.all(types.map((type) => find(events, query, most / types.length, type)));
  const isBefore = (one: string, other: string) => (query.ascending ? one < other : one > other);
  const order = (a: Event, b: Event) => (isBefore(a.id, b.id) ? -1 : 1);
  // Behind the end of a search that was cut, events of its type are missing.
  const [end] = found.flatMap((one) => (one.isCut ? one.events.slice(-1) : [])).sort(order);
  const first = found
    .flatMap((one) => one.events)
    .filter(({ id }) => end === undefined || !isBefore(end.id, id))
    .sort(order)
    .slice(0, query.limit);
  const bytes = found.reduce((sum, one) => sum + one.bytes, 0);
  return { events: first, bytes, isCut: end !== undefined && first.length < query.limit };
}

/** {@link read} by one find. @param type the types of the find, in place of those of the query */
async function find(
  events: Collection<EventDocument>,
  query: EventQuery,
  most: number,
  type?: EventType | { $in: EventType[] },
): Promise<EventsRead> {
  const filter = {
    ...(type !== undefined && { type }),
    ...(query.aggregateId !== undefined && { 'aggregate.id': query.aggregateId }),
    ...(query.aggregateTypes && { 'aggregate.type': { $in: [...query.aggregateTypes] } }),
    ...(query.resourceOwner !== undefined && { 'aggregate.resourceOwner': query.resourceOwner }),
    ...(query.editorUserId !== undefined && { 'editor.userId': query.editorUserId }),
    ...(query.editorUserIds && { 'editor.userId': { $in: [...query.editorUserIds] } }),
    ...(query.attribute !== undefined && {
      $or: [{ [`payload.${query.attribute}`]: { $exists: true } }, { 'payload.attributes': query.attribute }],
    }),
    ...((query.since || query.until) && {
      creationDate: {
        ...(query.since && { $gte: query.since }),
        ...(query.until && { $lte: query.until }),
      },
    }),
    ...idsOf(query),
    ...(query.sequence !== undefined && {
      sequence: query.ascending ? { $gt: query.sequence } : { $lt: query.sequence },
    }),
  };
  const { documents, bytes, isCut } = await readUpTo(
    (options) =>
      events
        .find(filter, options)
        .sort({ _id: query.ascending ? 1 : -1 })
        .limit(query.limit),
    pacedBy(query.resourceOwner),
    most,
  );
  return {
    events: documents.map(({ _id, ...event }) => ({ id: _id, ...event })),
    bytes,
    isCut: isCut && documents.length < query.limit,
  };
}

/** The most types that are searched one by one. */
const mostAlone = 16;

/**
 * The types of a query for which only the index of types serves. Each is then a range of that index, which ends at the limit. A
 * database without a merging index scan would sort the events of all of them. Undefined if another condition is narrower.
 */
function typesOneByOne({ eventTypes, ...query }: EventQuery): readonly EventType[] | undefined {
  if (eventTypes === undefined || eventTypes.length < 2 || eventTypes.length > mostAlone) return undefined;
  const isNarrower = [query.aggregateId, query.resourceOwner, query.editorUserId].some(
    (id) => id !== undefined,
  );
  return isNarrower ? undefined : [...new Set(eventTypes)];
}

/**
 * The range of an index that a search reads where no index has all its conditions. Undefined if one has. The events of one aggregate
 * are few.
 */
function rangeOf(query: EventQuery): Record<string, string> | undefined {
  const { resourceOwner, editorUserId, eventTypes, aggregateTypes, aggregateId, sequence } = query;
  // A search for no type finds nothing.
  if (aggregateId !== undefined || eventTypes?.length === 0) return undefined;
  const hasTypes = eventTypes !== undefined && eventTypes.length > 1 && typesOneByOne(query) === undefined;
  const equalities = [resourceOwner, editorUserId, eventTypes].filter((one) => one !== undefined).length;
  if (equalities < 2 && !hasTypes && aggregateTypes === undefined && sequence === undefined) return undefined;
  if (resourceOwner !== undefined) return { 'aggregate.resourceOwner': resourceOwner };
  return editorUserId === undefined ? {} : { 'editor.userId': editorUserId };
}

/** The identifier and the time of an event come from different clocks. */
const slackMs = 3_600_000;

/**
 * The range of identifiers that a search can find. Identifiers sort by the time at which they were made, so that a time range is
 * a range of identifiers too.
 */
function idsOf({ since, until, after = '', before, through, ascending }: EventQuery) {
  const above = [
    since && firstIdOf(new Date(since.getTime() - slackMs)),
    ascending && after !== '' ? after : undefined,
  ].filter((one) => one !== undefined);
  const below = [
    until && firstIdOf(new Date(until.getTime() + slackMs)),
    !ascending && after !== '' ? after : undefined,
    before,
  ].filter((one) => one !== undefined);
  const [low, high] = [above.sort().at(-1), below.sort()[0]];
  if (low === undefined && high === undefined && through === undefined) return {};
  // No event has the identifier of a time, so that `$gt` includes all events of that time.
  return {
    _id: {
      ...(low !== undefined && { $gt: low }),
      ...(high !== undefined && { $lt: high }),
      ...(through !== undefined && (ascending ? { $lte: through } : { $gte: through })),
    },
  };
}
