import type { Editor } from '#src/audit/event.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { PersonalAccessTokensStore } from './personal-access-tokens.store.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

interface RemovePersonalAccessTokenDeps extends WriteServiceUserDeps {
  readonly personalAccessTokens: PersonalAccessTokensStore;
  readonly caches: WriteServiceUserDeps['caches'] & {
    readonly personalAccessTokens: Cache<unknown>;
  };
}

/**
 * Removes a personal access token. From then on, every process refuses it.
 * @throws AppError `directory.tokenNotFound` and the errors of {@link writeServiceUser}
 */
export async function removePersonalAccessToken(
  deps: RemovePersonalAccessTokenDeps,
  { orgId, userId, id, editor }: { orgId: string; userId: string; id: string; editor: Editor },
): Promise<void> {
  await writeServiceUser(deps, { orgId, id: userId, editor }, (current) => ({
    next: current,
    happened: [['user.token.removed', { tokenId: id }]],
    alongside: async (transaction) => {
      const removed = await deps.personalAccessTokens.remove(orgId, { id, userId }, transaction);
      if (!removed) throw new AppError(directoryErrors.tokenNotFound);
    },
  }));
  await deps.caches.personalAccessTokens.invalidate(id);
}
