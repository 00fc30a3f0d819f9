import type { Event } from '#src/audit/event.js';
import { settledBefore } from '#src/audit/event-cursor.js';
import type { EventReceiver, EventReceiversStore } from '#src/audit/event-receivers.store.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors } from '#src/directory/index.js';
import { signJwt } from '#src/keys/sign-jwt.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { ScimContext } from '../operations/context.js';
import { scimErrors } from '../protocol/errors.js';
import { eventClaims, sentTypes, sharedTypes } from './event-claims.js';
import { type PollRequest, pollLimits } from './poll-request.js';

interface PollEventsDeps {
  readonly events: Pick<EventsStore, 'page' | 'begunBy'>;
  readonly eventReceivers: Pick<EventReceiversStore, 'find' | 'begin' | 'change' | 'hasAtLeast'>;
  readonly signingKeys: Pick<SigningKeys, 'active'>;
  readonly threads: ThreadPool;
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
 * The events of an organization that one search reads, of whatever type: no index has both the organization and the type. They are
 * mostly sign-ins.
 */
const readAtOnce = 1_000;
/** Within one request, no search begins after so many others, or so late. The next request goes on from there. */
const mostReads = 10;
const longestReadMs = 2_000;

/** What one request may still read. */
interface ReadsLeft {
  searches: number;
  /** A time of `performance.now`. */
  readonly until: number;
}

const isLeft = ({ searches, until }: ReadsLeft) => searches > 0 && performance.now() < until;

/**
 * Returns the security event tokens that the caller has not acknowledged, oldest first. The first request begins the stream,
 * 90 seconds before it. An event is sent 90 seconds after its change, because no older one can appear then. It is sent again
 * until it is acknowledged.
 * @throws AppError `directory.changing` if other requests of the caller are always faster; `scim.tooManyReceivers`
 */
export async function pollEvents(
  deps: PollEventsDeps,
  context: ScimContext,
  { maxEvents, acknowledged }: PollRequest,
): Promise<PollResponse> {
  const { organization } = context;
  const { id: orgId } = organization;
  const receiverId = context.editor.userId;
  const left: ReadsLeft = { searches: mostReads, until: performance.now() + longestReadMs };
  for (let attempt = 0; attempt < tries; attempt++) {
    const receiver = await findReceiver(deps, orgId, receiverId);
    const page = await readPage(deps, orgId, { receiver, left });
    const done = new Set([...page.passed, ...receiver.acknowledged, ...acknowledged]);
    const open = page.events.filter(({ id }) => !done.has(id));
    const [next] = open;
    const position = positionAfter(page, { receiver, next });
    const later = page.events.filter(({ id }) => id > position && done.has(id)).map(({ id }) => id);
    const moved = { ...receiver, position, acknowledged: later, expires: renewed(deps, receiver) };
    if (!(await keep(deps, { orgId, receiverId, receiver, moved }))) continue;
    if (next === undefined && page.hasMore && isLeft(left)) continue;
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
  { events, end, hasMore }: Page,
  { receiver, next }: { receiver: EventReceiver; next: Event | undefined },
): string {
  // A text that sorts just before the identifier, so that what was read before it is not read again.
  if (next !== undefined) return next.id.slice(0, -1);
  const passes = hasMore || events.length > 0 || timeOf(end) - timeOf(receiver.position) >= restMs;
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
  if (await eventReceivers.hasAtLeast(orgId, pollLimits.receivers))
    throw new AppError(scimErrors.tooManyReceivers);
  const now = clock.now();
  const expires = new Date(now.getTime() + keptMs);
  // A transaction that is not finished may have made the identifier of its event before. So the stream begins where nothing can
  // appear any more, and has some events from before it.
  return eventReceivers.begin(orgId, receiverId, { position: settledBefore(now), acknowledged: [], expires });
}

/** What follows the position of a receiver. */
interface Page {
  /** Events of the types that are sent, at most 100. */
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
  { receiver: { position }, left }: { receiver: EventReceiver; left: ReadsLeft },
): Promise<Page> {
  const before = settledBefore(clock.now());
  // The stream has just begun.
  if (before <= position) return { events: [], passed: new Set(), end: position, hasMore: false };
  const found: Event[] = [];
  let end = position;
  let hasMore = true;
  do {
    left.searches--;
    const { events: all, isCut } = await events.page({
      ...{ resourceOwner: orgId, after: end, before },
      ...{ limit: readAtOnce, ascending: true },
    });
    hasMore = isCut || all.length === readAtOnce;
    end = (hasMore && all.at(-1)?.id) || before;
    found.push(...all.filter(({ type }) => sentTypes.has(type)));
  } while (hasMore && found.length < pollLimits.tokens && isLeft(left));
  const page = found.slice(0, pollLimits.tokens);
  if (page.length < found.length) {
    hasMore = true;
    end = page.at(-1)?.id ?? end;
  }
  const passed = await ofServiceUsers(events, page);
  return { events: page, passed, end, hasMore };
}

/** Those of the events that are about service users. */
async function ofServiceUsers(
  events: Pick<EventsStore, 'begunBy'>,
  page: readonly Event[],
): Promise<Set<string>> {
  const shared = page.filter(({ type }) => sharedTypes.has(type));
  if (shared.length === 0) return new Set();
  const serviceUsers = await events.begunBy(
    'user.machine.added',
    shared.map(({ aggregate }) => aggregate.id),
  );
  return new Set(shared.filter(({ aggregate }) => serviceUsers.has(aggregate.id)).map(({ id }) => id));
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
  { signingKeys, threads, clock, config }: PollEventsDeps,
  { organization, editor }: ScimContext,
  event: Event,
): Promise<[jti: string, token: string]> {
  const claims = {
    iss: config.baseUrl,
    aud: editor.userId,
    iat: Math.floor(unixSeconds(clock.now())),
    ...eventClaims(event, organization),
  };
  const signer = { threads, key: await signingKeys.active(), holder: organization.id };
  return [event.id, await signJwt(signer, 'secevent+jwt', claims)];
}
