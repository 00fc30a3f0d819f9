import type { ClientExternalId, User, UserProfile } from './user.js';
import { requireText } from './value-rules.js';

/** A service user that has externalIds of its own, because a connection of the organization names it as its SCIM client. */
export interface ConnectionClient {
  readonly id: string;
  /** All such service users of the organization. */
  readonly all: ReadonlySet<string>;
}

type Identified = Pick<UserProfile, 'externalId' | 'clientExternalIds'>;

/** The most clients that have an externalId of their own for a user: as many as an organization can have connections. */
export const mostClientExternalIds = 20;

/** Returns what a client gave a user as its own. Undefined if it has given nothing and taken nothing away. */
export function givenByClient(
  { clientExternalIds }: Pick<UserProfile, 'clientExternalIds'>,
  serviceUserId: string,
): ClientExternalId | undefined {
  return clientExternalIds?.find((one) => one.serviceUserId === serviceUserId);
}

/**
 * Returns the externalId that a client sees (RFC 7643 section 3.1): its own. If it has given none yet, it sees the shared one, which it may
 * have written before a connection named it.
 */
function externalIdSeenBy(user: Identified, serviceUserId: string): string | undefined {
  const own = givenByClient(user, serviceUserId);
  return own === undefined ? user.externalId : own.value;
}

/** Returns a user with the externalId that the client sees. @param client absent: a client that sees the shared one */
export function userSeenBy(user: User, client: Pick<ConnectionClient, 'id'> | undefined): User {
  if (client === undefined) return user;
  const { externalId: _shared, ...others } = user;
  const externalId = externalIdSeenBy(user, client.id);
  return externalId === undefined ? others : { ...others, externalId };
}

/**
 * Returns a profile that a client wrote, with the externalId in its place: among the client's own ones, beside the shared one and those of
 * other clients. An externalId that equals what the client saw stays what it was. A client that sends back the shared one, which another
 * client may have written, does not make it its own.
 * @param of `current`: the user whose profile it replaces. Absent for a new one. `client`: absent for one that writes the shared externalId
 * @throws AppError `directory.valueInvalid`
 */
export function profileWrittenBy<Profile extends Identified>(
  profile: Profile,
  { current = {}, client }: { current?: Identified | undefined; client: ConnectionClient | undefined },
): Profile {
  const { clientExternalIds: before } = current;
  if (client === undefined) return before === undefined ? profile : { ...profile, clientExternalIds: before };
  const { externalId: value, ...others } = profile;
  if (value !== undefined) requireText('externalId', value);
  const isSame = value === externalIdSeenBy(current, client.id);
  const clientExternalIds = isSame ? before : withValue(before, value, client);
  return {
    ...others,
    ...(current.externalId !== undefined && { externalId: current.externalId }),
    ...(clientExternalIds && { clientExternalIds }),
  } as Profile;
}

/**
 * The values after a client gave or took away its own. The first client that gave one stays the first, because its connection goes before
 * others (`was-provisioned.ts`). If there is no room, the values of clients go that are of no connection any more.
 */
function withValue(
  before: readonly ClientExternalId[] = [],
  value: string | undefined,
  { id: serviceUserId, all }: ConnectionClient,
): ClientExternalId[] {
  const own = { serviceUserId, ...(value !== undefined && { value }) };
  const place = before.findIndex((one) => one.serviceUserId === serviceUserId && one.value !== undefined);
  const others = before.filter((one) => one.serviceUserId !== serviceUserId);
  const next = place < 0 || value === undefined ? [...others, own] : before.with(place, own);
  if (next.length <= mostClientExternalIds) return next;
  return next.filter((one) => all.has(one.serviceUserId));
}
