import type { AbleOwners } from '#src/access/memberships/index.js';
import type { Account, AccountsStore } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import {
  allowedFirstFactors,
  compareAndSwap,
  directoryErrors,
  type Organization,
  policyOf,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { connectionErrors } from '../registry/errors.js';
import { type LinkDeps, linkEvent } from './link-identity.js';

export interface UnlinkDeps extends Pick<LinkDeps, 'mongo' | 'identityLinks' | 'events' | 'clock'> {
  readonly caches: LinkDeps['caches'] & {
    readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
  };
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly ableOwners: Pick<AbleOwners, 'keepIfOwner'>;
  readonly logoutHints: {
    forget(of: { orgId: string; userId: string; connectionId: string }): Promise<void>;
  };
  readonly providerSessions: { forget(of: { userId: string; connectionId: string }): Promise<void> };
  /** Ends what the person began by the connection. */
  readonly endSignInsOf: (of: { userId: string; connectionId: string }) => Promise<unknown>;
}

/**
 * Takes all identities of one connection from a person, and ends what the person began by it. The next sign-in there is a first one again.
 * The last way in stays: a password, a passkey, or an identity of another connection that is switched on, if the organization lets a sign-in
 * begin with it.
 * @throws AppError `connections.identityNotFound`, `connections.lastWayIn`, `directory.userNotFound`, `directory.changing`,
 * `directory.lastAbleOwner` if the person is the last owner who meets the sign-in policy
 */
export async function unlinkIdentity(
  deps: UnlinkDeps,
  {
    orgId,
    userId,
    connectionId,
    editor,
  }: { orgId: string; userId: string; connectionId: string; editor: Editor },
): Promise<void> {
  await compareAndSwap(['user', userId, editor.userId], async () => {
    const account = await deps.accounts.find(orgId, userId);
    if (account === undefined) throw new AppError(directoryErrors.userNotFound);
    const [current] = await deps.identityLinks.findMany(orgId, [userId]);
    const entries = Object.entries(current?.items ?? {});
    const left = entries.filter(([, link]) => link.connectionId !== connectionId);
    if (current === undefined || left.length === entries.length)
      throw new AppError(connectionErrors.identityNotFound);
    if (
      !(await hasWayIn(
        deps,
        account,
        left.map(([, link]) => link),
      ))
    )
      throw new AppError(connectionErrors.lastWayIn);
    const keepAble = await deps.ableOwners.keepIfOwner(userId, editor);
    const items = Object.fromEntries(left);
    const list = { ...current, items, version: current.version + 1, lastModified: deps.clock.now() };
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      const change = { list, expectedVersion: current.version };
      if (!(await deps.identityLinks.replace(orgId, change, transaction))) return undefined;
      await keepAble?.(transaction);
      const event = linkEvent('user.identity.unlinked', list, { connectionId, editor });
      await deps.events.append([event], transaction);
      return list;
    });
  });
  await deps.endSignInsOf({ userId, connectionId });
  await deps.logoutHints.forget({ orgId, userId, connectionId });
  await deps.providerSessions.forget({ userId, connectionId });
}

/** Whether a person can sign in with these links. */
async function hasWayIn(
  { caches, clock }: Pick<UnlinkDeps, 'caches' | 'clock'>,
  { user: { orgId, id }, password, passkeys }: Account,
  links: readonly { readonly connectionId?: string }[],
): Promise<boolean> {
  const policy = policyOf((await caches.organizations.get(orgId))?.signInPolicy, id);
  const allowed = allowedFirstFactors(policy, clock.now());
  const serving = (await caches.connections.get(orgId)).filter(({ enabled }) => enabled);
  const has = {
    password: password !== undefined,
    passkey: passkeys !== undefined,
    connection: links.some(({ connectionId }) => serving.some(({ id }) => id === connectionId)),
  };
  return (['password', 'passkey', 'connection'] as const).some(
    (factor) => has[factor] && allowed.includes(factor),
  );
}

/** An identity of a person, as the person and administrators see it. */
export interface ShownIdentity {
  readonly connectionId: string;
  /** The name of the connection. Absent if it is gone. */
  readonly connection?: string;
  readonly subject: string;
}

/** Returns the identities of a person that name a connection. */
export async function identitiesOf(
  { identityLinks, caches }: Pick<LinkDeps, 'identityLinks' | 'caches'>,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<ShownIdentity[]> {
  const [list] = await identityLinks.findMany(orgId, [userId]);
  const links = Object.values(list?.items ?? {});
  const known = links.length === 0 ? [] : await caches.connections.get(orgId);
  return links.flatMap(({ connectionId, subject }) => {
    if (connectionId === undefined) return [];
    const name = known.find(({ id }) => id === connectionId)?.name;
    return [{ connectionId, subject, ...(name !== undefined && { connection: name }) }];
  });
}
