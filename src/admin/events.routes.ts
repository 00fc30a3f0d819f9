import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { AggregateType, Event, EventType } from '#src/audit/event.js';
import {
  decodeEventCursor,
  type EventPosition,
  encodeEventCursor,
  settledBefore,
} from '#src/audit/event-cursor.js';
import type { EventQuery, EventsStore } from '#src/audit/events.store.js';
import { type EventPage, searchPage } from '#src/audit/search-page.js';
import { directoryErrors } from '#src/directory/index.js';
import { BodyPieces } from '#src/http/responses/body-pieces.js';
import { AppError } from '#src/platform/errors.js';
import { quickBytes } from '#src/platform/mongo/paced-reads.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { eventLoop } from '#src/platform/work/loop-scheduler.js';
import { callerOf } from './http/caller.js';
import { eventNames } from './http/object-names.js';
import { problems, security, strictObject, timestamp, toDate } from './http/schemas.js';
import type { PieceReply } from './http/send-pieces.js';
import { visibleOwner } from './http/visible-owner.js';
import type { AdminNeeds } from './needs/needs.js';

const text = Type.String({ maxLength: 200 });
// The caller may name any type. A type that does not exist matches no event.
const eventTypes = Type.Array(Type.Unsafe<EventType>(text), { maxItems: 100 });
const aggregateTypes = Type.Array(Type.Unsafe<AggregateType>(text), { maxItems: 100 });
const maxLimit = 1000;

const body = strictObject(
  {
    eventTypes: Type.Optional(eventTypes),
    aggregateId: Type.Optional(text),
    aggregateTypes: Type.Optional(aggregateTypes),
    resourceOwner: Type.Optional(
      Type.String({ maxLength: 200, description: 'Organization; `*` is the instance itself' }),
    ),
    editorUserId: Type.Optional(text),
    range: Type.Optional(strictObject({ since: Type.Optional(timestamp), until: Type.Optional(timestamp) })),
    sequence: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Only events after it when ascending, before it when descending',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: maxLimit })),
    asc: Type.Optional(Type.Boolean({ default: false })),
    names: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also returns the names of the objects that the events name',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Reads page by page: empty for the first page, then `nextCursor` of the page before, with the same conditions',
        ruled: { pattern: '^(?:[A-Za-z0-9_\\-]{2,50})?$' },
      }),
    ),
  },
  { examples: [{ eventTypes: ['user.human.added'], limit: 5, asc: false }] },
);

const event = Type.Object(
  {
    editor: Type.Object({ userId: Type.String(), service: Type.String() }),
    aggregate: Type.Object({ id: Type.String(), type: Type.String(), resourceOwner: Type.String() }),
    sequence: Type.Integer({ description: 'Version of the aggregate after the change' }),
    creationDate: timestamp,
    payload: Type.Record(Type.String(), Type.Unknown()),
    type: Type.String(),
  },
  { title: 'Event' },
);

const found = Type.Object({
  events: Type.Array(event),
  names: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        type: Type.Enum(['user', 'serviceUser', 'group', 'application', 'project', 'org']),
        orgId: Type.String(),
        name: Type.String(),
      }),
      {
        description:
          'With `names`: the objects that exist, in organizations that the caller may read. At most 500 are looked up',
      },
    ),
  ),
  outsiders: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), ownsService: Type.Boolean() }), {
      description:
        'With `names`: the editors who belong to an organization that the caller may not read, and whether each has a role in the instance',
    }),
  ),
  nextCursor: Type.Optional(
    Type.String({
      description:
        'If the request has a cursor: the cursor of the next page. Newest first, the last page has none. Oldest first, each page ' +
        'has one, because events will follow. A search for rare events among many can have pages that are short or empty',
    }),
  ),
});

/** Routes for the events, newest first. With `asc`, oldest first. */
export function eventRoutes(
  container: Pick<
    AdminNeeds,
    'applications' | 'caches' | 'clock' | 'events' | 'groups' | 'projects' | 'serviceUsers' | 'users'
  >,
): FastifyPluginAsyncTypebox {
  const { events, clock } = container;
  const turns = createKeyedSemaphore({
    ...{ atOnce: 4, waiting: 64, longestWaitMs: 10_000 },
    refuse: () => new AppError(directoryErrors.tooManySearches, { retryAfterSeconds: 5 }),
  });
  return async (app) => {
    app.post(
      '/events/_search',
      {
        config: { heavy: 'list' },
        schema: {
          tags: ['events'],
          security,
          operationId: 'searchEvents',
          summary: 'Search events; an organization owner sees only the events of that organization',
          description:
            'All conditions of the body hold for each event. Without conditions, every event is found that the caller may read',
          body,
          response: { 200: found, ...problems(400, 404) },
        },
      },
      async (request, reply) => {
        const {
          range,
          limit = maxLimit,
          asc = false,
          cursor,
          names,
          resourceOwner,
          ...conditions
        } = request.body;
        const caller = callerOf(request);
        const owner = visibleOwner(caller, { name: 'resourceOwner', orgId: resourceOwner });
        const position = cursor === undefined ? undefined : positionOf(cursor, asc);
        const query = {
          ...conditions,
          ...(position && { after: position.after }),
          // Younger events may still be joined by older ones, which the next page would miss.
          ...(position?.ascending && { before: settledBefore(clock.now()) }),
          ...(owner !== undefined && { resourceOwner: owner }),
          ...(range?.since !== undefined && { since: toDate(range.since, 'since') }),
          ...(range?.until !== undefined && { until: toDate(range.until, 'until') }),
          limit,
          ascending: asc,
        };
        const answer = await turns.run(owner ?? caller.userId, async () => {
          const page =
            position === undefined ? await wholePage(events, query) : await searchPage(events, query);
          const after = page.end ?? page.events.at(-1)?.id ?? position?.after ?? '';
          const isFollowed = position !== undefined && (asc || page.end !== undefined);
          const rest = {
            ...(names && (await eventNames(container, page.events, caller))),
            ...(isFollowed && { nextCursor: encodeEventCursor({ ...position, after }) }),
          };
          if (page.bytes <= quickBytes) return { events: page.events.map(toResponse), ...rest };
          return renderInSlices(page.events, { rest, holder: owner });
        });
        return answer instanceof BodyPieces ? sendPieces(reply, answer) : answer;
      },
    );
  };
}

/** @throws AppError `directory.eventsTooLarge` */
async function wholePage(events: EventsStore, query: EventQuery): Promise<EventPage> {
  const { events: found, bytes, isCut } = await events.page(query);
  if (isCut) throw new AppError(directoryErrors.eventsTooLarge);
  return { events: found, bytes, end: undefined };
}

/** @throws AppError `directory.valueInvalid` for a cursor of another order, or of nobody */
function positionOf(cursor: string, ascending: boolean): EventPosition {
  if (cursor === '') return { after: '', ascending };
  const position = decodeEventCursor(cursor);
  if (position?.ascending === ascending) return position;
  throw new AppError(directoryErrors.valueInvalid, { detail: 'cursor is not one of a search in this order' });
}

/** The response for many bytes of events. They are rendered in slices of the event loop. */
async function renderInSlices(
  events: readonly Event[],
  { rest, holder }: { rest: object; holder: string | undefined },
): Promise<BodyPieces> {
  const slices = eventLoop.begin(holder);
  const parts = [Buffer.from('{"events":[')];
  await slices.turn();
  for (const [index, event] of events.entries()) {
    parts.push(Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(toResponse(event))}`));
    if (slices.isDue()) await slices.turn();
  }
  slices.stop();
  const ending = JSON.stringify(rest).slice(1);
  parts.push(Buffer.from(`]${ending === '}' ? '' : ','}${ending}`));
  return new BodyPieces(parts);
}

/** Fastify applies no response schema to a stream. */
function sendPieces(reply: PieceReply, pieces: BodyPieces): never {
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(pieces as never) as never;
}

function toResponse({ editor, aggregate, sequence, creationDate, payload, type }: Event) {
  return { editor, aggregate, sequence, creationDate: creationDate.toISOString(), payload, type };
}
