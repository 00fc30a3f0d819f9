import { hasRoleOutside } from '#src/access/memberships/index.js';
import type { AccountsStore } from '#src/accounts/index.js';
import type { Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, givenByClient, type Membership } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Connection } from '../registry/connection.js';
import type { LinkDeps } from './link-identity.js';

/** What keeps a person from signing in by a connection. */
export const connectionObstacles = ['off', 'notLinked', 'inactive', 'roleOutside'] as const;

type ConnectionObstacle = (typeof connectionObstacles)[number];

/** What a sign-in of a person by a connection meets at present. */
export interface ConnectionState {
  readonly connectionId: string;
  readonly name: string;
  readonly obstacles: readonly ConnectionObstacle[];
  /** Whether somebody whom no rule links becomes a new person: then `notLinked` makes a second one. */
  readonly creates: boolean;
  /** The externalId that the SCIM client of the connection gave the person as its own. */
  readonly externalId?: string;
  readonly lastSignIn?: Date;
  /** The last refusals of the connection that may be of this person, the newest first. */
  readonly refusals: readonly ConnectionRefusal[];
}

interface ConnectionRefusal {
  readonly time: Date;
  readonly reason: string;
  readonly detail?: string;
  /** Whether it is known that it was this person. The provider names many people who are not known here. */
  readonly isOwn: boolean;
}

interface ConnectionStatesDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly events: Pick<EventsStore, 'search'>;
  readonly identityLinks: Pick<LinkDeps['identityLinks'], 'findMany'>;
  readonly caches: LinkDeps['caches'] & { readonly memberships: Pick<Cache<Membership[]>, 'get'> };
}

/** The most refusals of one connection that are told. */
const mostRefusals = 10;
/** The most refusals of one connection that are read: some are of other people. */
const mostRead = 50;
/** The most sign-ins of the person that are read to find the last one by each connection. */
const mostSignIns = 50;

/**
 * Returns for each connection of the organization what prevents that the person signs in by it, and why sign-ins were refused.
 * @throws AppError `directory.userNotFound`
 */
export async function readConnectionStates(
  deps: ConnectionStatesDeps,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<ConnectionState[]> {
  const account = await deps.accounts.find(orgId, userId);
  if (account === undefined) throw new AppError(directoryErrors.userNotFound);
  const connections = await deps.caches.connections.get(orgId);
  if (connections.length === 0) return [];
  const [[list], signIns, isOutside] = await Promise.all([
    deps.identityLinks.findMany(orgId, [userId]),
    deps.events.search({
      aggregateId: userId,
      resourceOwner: orgId,
      eventTypes: ['user.human.connection.check.succeeded'],
      limit: mostSignIns,
      ascending: false,
    }),
    hasRoleOutside(deps.caches, account.user),
  ]);
  const linked = new Set(Object.values(list?.items ?? {}).map(({ connectionId }) => connectionId));
  return Promise.all(
    connections.map(async (connection): Promise<ConnectionState> => {
      const { id, name, enabled, creation, linking } = connection;
      const { provisionedBy } = linking;
      const own = provisionedBy === undefined ? undefined : givenByClient(account.user, provisionedBy)?.value;
      const met: Readonly<Record<ConnectionObstacle, boolean>> = {
        off: !enabled,
        notLinked: !linked.has(id),
        inactive: !account.user.active,
        roleOutside: isOutside,
      };
      const last = signIns.find(({ payload }) => payload['connectionId'] === id);
      return {
        connectionId: id,
        name,
        obstacles: connectionObstacles.filter((obstacle) => met[obstacle]),
        creates: creation === 'create',
        ...(own !== undefined && { externalId: own }),
        ...(last && { lastSignIn: last.creationDate }),
        refusals: await refusalsOf(deps, connection, userId),
      };
    }),
  );
}

/** Refusals that name another person are not told. */
async function refusalsOf(
  { events }: Pick<ConnectionStatesDeps, 'events'>,
  { id: aggregateId, orgId: resourceOwner }: Connection,
  userId: string,
): Promise<ConnectionRefusal[]> {
  const found = await events.search({
    ...{ aggregateId, resourceOwner, limit: mostRead, ascending: false },
    eventTypes: ['connection.signIn.failed'],
  });
  return found
    .filter(({ payload }) => payload['userId'] === undefined || payload['userId'] === userId)
    .slice(0, mostRefusals)
    .map(readRefusal(userId));
}

function readRefusal(userId: string): (event: Event) => ConnectionRefusal {
  return ({ creationDate: time, payload }) => {
    const { reason, detail } = payload;
    return {
      time,
      reason: typeof reason === 'string' ? reason : '',
      ...(typeof detail === 'string' && { detail }),
      isOwn: payload['userId'] === userId,
    };
  };
}
