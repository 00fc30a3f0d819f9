import type { Event } from '#src/audit/event.js';
import { settledBefore } from '#src/audit/event-cursor.js';
import type { EventReceiver, EventReceiversStore } from '#src/audit/event-receivers.store.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors } from '#src/directory/errors.js';
import { signJwt } from '#src/keys/sign-jwt.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { ScimContext } from '../operations/context.js';
import { eventClaims, sentTypes, sharedTypes } from './event-claims.js';
import { type PollRequest, pollLimits } from './poll-request.js';

export interface PollEventsDeps {
  readonly events: Pick<EventsStore, 'search'>;
  readonly eventReceivers: EventReceiversStore;
  readonly signingKeys: Pick<SigningKeys, 'active'>;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

/** The response to a poll (RFC 8936 section 2.5). */
export interface PollResponse {
  /** Security event tokens by their `jti`. */
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

/** Nothing is kept of a receiver that does not poll for so long, in milliseconds. */
const keptMs = 30 * 24 * 3_600_000;
/** The date on which a receiver is forgotten is moved on when it would move by at least this time. */
const renewMs = 24 * 3_600_000;
/** Where nothing happens, the position is stored no more often than this, in milliseconds. */
const restMs = 60_000;
/** How often a request tries again because another request of the receiver was faster, or everything that it read is acknowledged. */
const tries = 20;

/**
 * Returns the security event tokens that the caller has not acknowledged, oldest first. The first request begins the stream,
 * 90 seconds before it. An event is sent 90 seconds after its change, because no older one can appear then. It is sent again
 * until it is acknowledged.
 * @throws AppError `directory.changing` if other requests of the caller are always faster
 */
export async function pollEvents(
  deps: PollEventsDeps,
  context: ScimContext,
  { maxEvents, acknowledged }: PollRequest,
): Promise<PollResponse> {
  const { organization } = context;
  const { id: orgId } = organization;
  const receiverId = context.editor.userId;
  for (let attempt = 0; attempt < tries; attempt++) {
    const receiver = await findReceiver(deps, orgId, receiverId);
    const page = await readPage(deps, orgId, receiver);
    const done = new Set([...page.passed, ...receiver.acknowledged, ...acknowledged]);
    const open = page.events.filter(({ id }) => !done.has(id));
    const [next] = open;
    const position = positionAfter(page, { receiver, next });
    const later = page.events.filter(({ id }) => id > position && done.has(id)).map(({ id }) => id);
    const moved = { ...receiver, position, acknowledged: later, expires: renewed(deps, receiver) };
    if (!(await keep(deps, { orgId, receiverId, receiver, moved }))) continue;
    if (next === undefined && page.hasMore) continue;
    const sent = open.slice(0, maxEvents);
    return {
      sets: Object.fromEntries(await Promise.all(sent.map((event) => tokenOf(deps, context, event)))),
      moreAvailable: open.length > sent.length || page.hasMore,
    };
  }
  throw new AppError(directoryErrors.changing);
}

/** The receiver has everything before the first event that it has not acknowledged. @param next that event */
function positionAfter(
  { events, end }: Page,
  { receiver, next }: { receiver: EventReceiver; next: Event | undefined },
): string {
  if (next !== undefined) return events[events.indexOf(next) - 1]?.id ?? receiver.position;
  const passes = events.length > 0 || timeOf(end) - timeOf(receiver.position) >= restMs;
  return passes ? end : receiver.position;
}

/** The time of an identifier, or of a text between identifiers, in milliseconds since 1970. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
}

async function findReceiver(
  { eventReceivers, clock }: PollEventsDeps,
  orgId: string,
  receiverId: string,
): Promise<EventReceiver> {
  const found = await eventReceivers.find(orgId, receiverId);
  if (found !== undefined) return found;
  const now = clock.now();
  const expires = new Date(now.getTime() + keptMs);
  // A transaction that is not finished may have made the identifier of its event before. So the stream begins where nothing can
  // appear any more, and has some events from before it.
  return eventReceivers.begin(orgId, receiverId, { position: settledBefore(now), acknowledged: [], expires });
}

/** Events that follow the position of a receiver. */
interface Page {
  readonly events: readonly Event[];
  /** Those of them that are not for receivers. */
  readonly passed: ReadonlySet<string>;
  /** A position behind all of them. */
  readonly end: string;
  readonly hasMore: boolean;
}

async function readPage(
  { events, clock }: PollEventsDeps,
  orgId: string,
  { position }: EventReceiver,
): Promise<Page> {
  const before = settledBefore(clock.now());
  // The stream has just begun.
  if (before <= position) return { events: [], passed: new Set(), end: position, hasMore: false };
  const found = await events.search({
    resourceOwner: orgId,
    eventTypes: sentTypes,
    after: position,
    before,
    limit: pollLimits.tokens,
    ascending: true,
  });
  const hasMore = found.length === pollLimits.tokens;
  // If there are no more, events of other types are not read again either.
  const end = hasMore ? (found.at(-1)?.id ?? position) : before;
  const passed = new Set<string>();
  for (const { id, type, aggregate } of found) {
    if (sharedTypes.has(type) && (await isServiceUser(events, aggregate.id))) passed.add(id);
  }
  return { events: found, passed, end, hasMore };
}

async function isServiceUser(events: Pick<EventsStore, 'search'>, aggregateId: string): Promise<boolean> {
  const eventTypes = ['user.machine.added'] as const;
  return (await events.search({ aggregateId, eventTypes, limit: 1, ascending: true })).length > 0;
}

function renewed({ clock }: PollEventsDeps, { expires }: EventReceiver): Date {
  const wanted = clock.now().getTime() + keptMs;
  return wanted - expires.getTime() >= renewMs ? new Date(wanted) : expires;
}

/** Stores how far the receiver has come, if it has. @returns false if another request was faster */
async function keep(
  { eventReceivers }: PollEventsDeps,
  of: { orgId: string; receiverId: string; receiver: EventReceiver; moved: EventReceiver },
): Promise<boolean> {
  const { orgId, receiverId, receiver, moved } = of;
  const isSame =
    moved.position === receiver.position &&
    moved.expires === receiver.expires &&
    moved.acknowledged.length === receiver.acknowledged.length;
  return isSame || eventReceivers.change(orgId, receiverId, moved);
}

async function tokenOf(
  { signingKeys, clock, config }: PollEventsDeps,
  { organization, editor }: ScimContext,
  event: Event,
): Promise<[jti: string, token: string]> {
  const claims = {
    iss: config.baseUrl,
    aud: editor.userId,
    iat: Math.floor(unixSeconds(clock.now())),
    ...eventClaims(event, organization),
  };
  return [event.id, await signJwt(await signingKeys.active(), 'secevent+jwt', claims)];
}
