import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Application } from '#src/clients/applications/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { WindowCounts } from '#src/platform/redis/window-counts.js';
import type { AssertionEndpoint } from './check-assertion.js';
import { type Client, clientId } from './client.js';
import type { ClientCredentials } from './read-client-credentials.js';

/** Why a client could not be authenticated. The caller never learns it. The owner finds it in an event. */
export type RefusalReason =
  /** The request is malformed, or has two proofs at once. */
  | 'requestMalformed'
  | 'applicationInactive'
  /** The application is registered with another method. */
  | 'methodNotRegistered'
  /** The endpoint does not take this method. */
  | 'methodNotAccepted'
  | 'secretWrong'
  | 'secretExpired'
  /** No valid key of the application made the signature. */
  | 'signatureWrong'
  /** `iss`, `sub`, `aud`, `exp`, `iat`, `nbf` or `jti` is wrong or absent. */
  | 'claimsWrong'
  /** The assertion was used before. */
  | 'assertionUsed'
  /** No federated credential of the service user names the issuer of the JWT. */
  | 'issuerNotTrusted'
  /** A federated credential names the issuer, but none its subject with its audience. */
  | 'subjectNotTrusted'
  /** The keys of the outside issuer could not be read. */
  | 'issuerUnavailable';

export interface Refusal {
  readonly client: Client;
  readonly reason: RefusalReason;
  /** What the JWT of a trusted outside issuer says, so that an administrator sees what to trust. */
  readonly issuer?: string;
  readonly subject?: string;
  readonly audience?: string;
  /** How the client tried to authenticate. Absent if that is not certain. */
  readonly method?: ClientCredentials['method'];
  readonly endpoint: AssertionEndpoint;
  /** The address of the caller. */
  readonly address: string;
  /** What the caller says that it is. */
  readonly userAgent?: string | undefined;
}

/**
 * Writes refused authentications as events of the application, `application.authentication.failed`, or of the service user,
 * `user.machine.authentication.failed`, so that its owner finds why it fails. A process writes at most two events per client,
 * reason and minute: the first refusal, and then one event with the number of those that followed. All processes together write at most 60 per organization and minute, because whoever
 * knows a client_id can cause them. They never contain a secret.
 */
export interface RefusedAuthentications {
  /** Notes a refusal. It returns at once, and writes in the background. It never throws. */
  note(refusal: Refusal): void;
  /**
   * Notes a malformed request that names this client_id, if an application has it. It looks the application up in the background,
   * so that the answer needs no store. A process has at most 10 such look-ups at a time. Further requests are not noted.
   */
  noteMalformed(
    request: Pick<Refusal, 'endpoint' | 'address' | 'userAgent'> & { readonly clientId: string },
  ): void;
  /** Writes what was counted and not written yet. */
  flush(): Promise<void>;
  /** Flushes, and stops the timer. */
  close(): Promise<void>;
}

/** Time for which refusals of one reason are counted after the first, in milliseconds. */
const windowMs = 60_000;
/** The most pairs of client and reason that a process counts at once. Further pairs are not recorded. */
const maxCounted = 1_000;
/** The most events of an organization per minute. Counts of other processes are up to a second old, which may add a few. */
const maxEventsOfOrganization = 60;
/** The most applications that a process looks up at once for malformed requests. */
const maxLookUps = 10;

interface Counted {
  readonly first: Date;
  /** Refusals that no event has counted. */
  count: number;
  latest: Refusal;
}

export function createRefusedAuthentications({
  events,
  applications,
  rateCounts,
  clock,
  logger,
}: {
  events: Pick<EventsStore, 'record'>;
  applications: Pick<Cache<Application | undefined>, 'get'>;
  rateCounts: Pick<WindowCounts, 'add' | 'read'>;
  clock: Clock;
  logger: Logger;
}): RefusedAuthentications {
  const counted = new Map<string, Counted>();
  const writing = new Set<Promise<void>>();
  const lookingUp = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** @returns false if the organization has had its events of this minute */
  function write({ client, userAgent, ...refusal }: Refusal, counts: Record<string, unknown>): boolean {
    const { type, aggregate, about } = subjectOf(client);
    const name = `refusal-events:${about.orgId}`;
    if (rateCounts.read(name) >= maxEventsOfOrganization) return false;
    rateCounts.add(name);
    const event = newEvent(type, {
      aggregate,
      id: about.id,
      orgId: about.orgId,
      editor: { userId: about.id, service: 'oidc' },
      sequence: about.version,
      date: clock.now(),
      payload: { ...refusal, ...(userAgent !== undefined && { userAgent }), ...counts },
    });
    const work: Promise<void> = events
      .record(event)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'a refused authentication could not be recorded'),
      )
      .finally(() => writing.delete(work));
    writing.add(work);
    return true;
  }

  function finish(key: string, { count, latest, first }: Counted): void {
    counted.delete(key);
    if (count > 0) write(latest, { count, since: first.toISOString() });
  }

  const isOver = ({ first }: Counted) => clock.now().getTime() - first.getTime() >= windowMs;

  function finishLater(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      for (const [key, known] of counted) if (isOver(known)) finish(key, known);
      if (counted.size > 0) finishLater();
    }, windowMs);
    timer.unref();
  }

  async function flush(): Promise<void> {
    await Promise.all(lookingUp);
    for (const [key, known] of counted) finish(key, known);
    await Promise.all(writing);
  }

  function note(refusal: Refusal): void {
    const key = `${clientId(refusal.client)} ${refusal.reason}`;
    const known = counted.get(key);
    if (known !== undefined && !isOver(known)) {
      known.count++;
      known.latest = refusal;
      return;
    }
    if (known !== undefined) finish(key, known);
    if (counted.size >= maxCounted) return;
    // A refusal without an event of its own is in the number of the later event.
    const count = write(refusal, { count: 1 }) ? 0 : 1;
    counted.set(key, { first: clock.now(), count, latest: refusal });
    finishLater();
  }

  return {
    note,
    noteMalformed({ clientId, ...request }) {
      if (lookingUp.size >= maxLookUps) return;
      const work: Promise<void> = applications
        .get(clientId)
        .then(
          (application) =>
            application &&
            note({ client: { kind: 'application', application }, reason: 'requestMalformed', ...request }),
          // The store is away. The event could not be written either.
          () => undefined,
        )
        .finally(() => lookingUp.delete(work));
      lookingUp.add(work);
    },
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flush();
    },
  };
}

/** Whose event a refusal is. */
function subjectOf(client: Client) {
  return client.kind === 'application'
    ? ({
        type: 'application.authentication.failed',
        aggregate: 'application',
        about: client.application,
      } as const)
    : ({ type: 'user.machine.authentication.failed', aggregate: 'user', about: client.serviceUser } as const);
}
