import { keepAnOwner, membershipEvent } from '#src/access/memberships/index.js';
import { revokeUserTokens } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import type {
  ChangeServiceUserDeps,
  PersonalAccessTokensStore,
  ServiceUser,
} from '#src/clients/service-users/index.js';
import { compareAndSwap, directoryErrors, isInstanceRole } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type BelongingsDeps, removeBelongings } from './remove-belongings.js';

type RemoveServiceUserDeps = ChangeServiceUserDeps &
  BelongingsDeps & {
    readonly personalAccessTokens: PersonalAccessTokensStore;
    readonly caches: {
      readonly personalAccessTokens: Cache<unknown>;
      readonly memberships: Cache<unknown>;
    };
  };

/**
 * Removes a service user with its secrets, tokens, roles, grants and metadata, and revokes its access tokens. It cannot
 * be restored.
 * @throws AppError `directory.serviceUserNotFound`, `directory.lastOwner`, `directory.changing`
 */
export async function removeServiceUser(
  deps: RemoveServiceUserDeps,
  { orgId, id, editor }: { orgId: string; id: string; editor: Editor },
): Promise<void> {
  const tokenIds = await compareAndSwap(['user', id, editor.userId], async () => {
    const current = await deps.serviceUsers.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
    return deps.mongo.transactionOf(orgId, (transaction) => remove(deps, { current, editor }, transaction));
  });
  const { serviceUsers, memberships, personalAccessTokens } = deps.caches;
  await Promise.all([
    serviceUsers.invalidate(id),
    memberships.invalidate(id),
    ...tokenIds.map((tokenId) => personalAccessTokens.invalidate(tokenId)),
  ]);
}

/** Returns the identifiers of the removed tokens, or undefined if another caller changed the service user. */
async function remove(
  deps: RemoveServiceUserDeps,
  { current, editor }: { current: ServiceUser; editor: Editor },
  transaction: Transaction,
): Promise<string[] | undefined> {
  const { id, orgId, userName, version } = current;
  if (!(await deps.serviceUsers.remove(orgId, { id, expectedVersion: version }, transaction)))
    return undefined;
  const tokenIds = await deps.personalAccessTokens.removeAll(orgId, id, transaction);
  const roles = await deps.memberships.removeAll([id], transaction);
  if (roles.some(({ role }) => isInstanceRole(role))) await keepAnOwner(deps, transaction);
  const date = deps.clock.now();
  const editors = new Map([[id, editor]]);
  const belongings = await removeBelongings(deps, { orgId, editors, date }, transaction);
  const happened: Happening[] = [
    ...tokenIds.map((tokenId): Happening => ['user.token.removed', { tokenId }]),
    ['user.removed', { userName }],
  ];
  const last = { id, orgId, version: version + happened.length, lastModified: date };
  await deps.events.append(
    [
      ...newEvents('user', last, { happened, editor }),
      ...roles.map((membership) => membershipEvent('member.removed', membership, { editor, date })),
      ...belongings,
    ],
    transaction,
  );
  await revokeUserTokens(deps, id, transaction);
  return tokenIds;
}
