import type { AbleOwners } from '#src/access/memberships/index.js';
import type { Organization, User, UserProfileInput } from '#src/directory/index.js';
import { type ChangeGroupDeps, changeGroup } from '#src/people/groups/index.js';
import { asInput, type ChangeUserDeps, changeUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Logger } from '#src/platform/logger.js';
import { type Claims, mappedMemberships } from '../mapping/claim-values.js';
import type { Connection } from '../registry/connection.js';
import { claimedParts, trustedAddress, usableParts } from './claims-to-profile.js';
import { wasProvisionedBy } from './was-provisioned.js';

export type ApplyClaimsDeps = ChangeUserDeps &
  ChangeGroupDeps & {
    readonly ableOwners: Pick<AbleOwners, 'keep'>;
    readonly logger: Logger;
  };

interface Applied {
  readonly connection: Connection;
  readonly organization: Organization;
  readonly user: User;
  readonly claims: Claims;
  /** Whether the person was added by this sign-in, with the values of the claims. */
  readonly isNew: boolean;
}

/**
 * Gives a person who signs in the values and the groups that the table of the connection says. Of a person whom the SCIM client of the connection
 * provisioned, claims fill only what is empty, and groups of that client stay as they are: SCIM wins. A value or a group that is refused does
 * not stop the sign-in, and is a line of the log.
 * @returns the claims that the provider left out, and whether the person differs now
 */
export async function applyClaims(
  deps: ApplyClaimsDeps,
  applied: Applied,
): Promise<{ readonly leftOut: readonly string[]; readonly isChanged: boolean }> {
  const { connection, user, claims, isNew } = applied;
  const { when, groups } = connection.mapping;
  if (when === 'first' && !isNew) return { leftOut: [], isChanged: false };
  const { provisionedBy } = connection.linking;
  const isOfScim = provisionedBy !== undefined && (await wasProvisionedBy(deps, user, provisionedBy));
  const isChanged = !isNew && (await orLog(deps, applied, () => changeValues(deps, applied, isOfScim)));
  const { joins, leaves, leftOut } = mappedMemberships({ groups }, claims);
  if (groups.length > 0) {
    const named = [...joins, ...leaves].map((groupId) => ({ groupId, userId: user.id }));
    const held = await deps.groupMembers.existing(connection.orgId, named);
    const isMember = (groupId: string) => held.has(`${groupId} ${user.id}`);
    const changes = [
      ...[...joins].filter((id) => !isMember(id)).map((id) => ({ id, joins: true })),
      ...[...leaves].filter(isMember).map((id) => ({ id, joins: false })),
    ];
    for (const change of changes)
      await orLog(deps, applied, () => changeMembership(deps, applied, { ...change, isOfScim }));
  }
  return { leftOut, isChanged };
}

/** Runs a change. @returns whether it was made */
async function orLog(
  { logger }: Pick<ApplyClaimsDeps, 'logger'>,
  { connection: { orgId, id: connectionId }, user }: Applied,
  change: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn({ err: error, orgId, connectionId, userId: user.id }, 'a claim was not taken over');
    return false;
  }
}

/** An address is replaced only by one that the provider has verified in a domain of the connection. The login name stays. */
async function changeValues(
  deps: ApplyClaimsDeps,
  { connection, organization, user, claims }: Applied,
  isOfScim: boolean,
): Promise<boolean> {
  const { id, userName, version } = user;
  const trusted = trustedAddress(connection, organization, claims);
  const email = trusted === undefined ? {} : { emails: [{ value: trusted, primary: true }] };
  const parts = [...claimedParts(connection, claims), email];
  const usable: Partial<UserProfileInput> = Object.assign(
    {},
    ...usableParts(parts, { userName, organization }),
  );
  if (Object.keys(usable).length === 0) return false;
  const changed = await changeUser(deps, {
    organization,
    id,
    editor: { userId: connection.id, service: 'connection' },
    change: (current) => ({ profile: { ...asInput(current), ...mergedParts(current, usable, isOfScim) } }),
  });
  return changed.version !== version;
}

/** The parts of a profile that claims change. Of addresses and phone numbers they change the primary value alone. */
function mergedParts(
  current: User,
  { name, emails, phoneNumbers, ...texts }: Partial<UserProfileInput>,
  isOfScim: boolean,
): Partial<UserProfileInput> {
  const isEmpty = (value: unknown) =>
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  const isFree = (value: unknown) => !isOfScim || isEmpty(value);
  const names = Object.entries(name ?? {}).filter(([key]) => isFree(current.name[key as 'givenName']));
  const plain = Object.entries(texts).filter(([key]) => isFree(current[key as 'title']));
  const withPrimary = <T extends { readonly value: string; readonly primary?: boolean }>(
    have: readonly T[],
    given: readonly { readonly value: string; readonly primary?: boolean }[] | undefined,
  ) => {
    const [first] = given ?? [];
    if (first === undefined || (isOfScim && have.length > 0)) return undefined;
    const others = have.filter(({ value, primary }) => primary !== true && value !== first.value);
    return [first, ...others];
  };
  const [mails, phones] = [
    withPrimary(current.emails, emails),
    withPrimary(current.phoneNumbers ?? [], phoneNumbers),
  ];
  return {
    ...(names.length > 0 && { name: { ...current.name, ...Object.fromEntries(names) } }),
    ...Object.fromEntries(plain),
    ...(mails && { emails: mails }),
    ...(phones && { phoneNumbers: phones }),
  };
}

/** Whoever loses a role with a group is not the last owner who can sign in. */
async function changeMembership(
  deps: ApplyClaimsDeps,
  { connection, user }: Applied,
  { id, joins, isOfScim }: { id: string; joins: boolean; isOfScim: boolean },
): Promise<boolean> {
  const { orgId, linking } = connection;
  const editor = { userId: connection.id, service: 'connection' };
  if (isOfScim && (await isGroupOf(deps, { orgId, groupId: id, editorId: linking.provisionedBy ?? '' })))
    return false;
  await changeGroup(deps, {
    ...{ orgId, id, editor },
    delta: {
      from: 'current',
      added: new Set(joins ? [user.id] : []),
      removed: new Set(joins ? [] : [user.id]),
    },
    afterLoss: (roles, transaction) =>
      deps.ableOwners.keep({ roles: roles.map((role) => ({ role, orgId })), editor }, transaction),
  });
  return true;
}

/** Whether the SCIM client has added the group. */
async function isGroupOf(
  { events }: Pick<ApplyClaimsDeps, 'events'>,
  { orgId, groupId, editorId }: { orgId: string; groupId: string; editorId: string },
): Promise<boolean> {
  const [added] = await events.search({
    ...{ aggregateId: groupId, resourceOwner: orgId, eventTypes: ['group.added'] },
    ...{ limit: 1, ascending: true },
  });
  return added?.editor.userId === editorId;
}
