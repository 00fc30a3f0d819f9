import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { compareAndSwap, orTryAgain } from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type RequireUserDeps, requireUser } from '../users/require-user.js';
import { metadataEvent, requireMetadata, type UserMetadata } from './user-metadata.js';
import type { UserMetadataStore } from './user-metadata.store.js';

export interface UserMetadataDeps extends RequireUserDeps {
  readonly mongo: Mongo;
  readonly userMetadata: UserMetadataStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/**
 * Sets the metadata of a user under a key. If the value is the same, nothing is written.
 * @throws AppError `directory.userNotFound`, `directory.valueInvalid`, `directory.quotaExceeded`, `directory.changing`
 */
export async function setUserMetadata(
  deps: UserMetadataDeps & { readonly quotas: Pick<Quotas, 'within'> },
  {
    orgId,
    userId,
    editor,
    ...given
  }: { orgId: string; userId: string; key: string; value: string; editor: Editor },
): Promise<UserMetadata> {
  const { key, value } = requireMetadata(given);
  return compareAndSwap(['user', userId, editor.userId], async () => {
    const current = await deps.userMetadata.find(orgId, { userId, key });
    if (current?.value === value) return current;
    const now = deps.clock.now();
    const expectedVersion = current?.version ?? 0;
    const metadata: UserMetadata = {
      ...(current ?? { id: newId(), orgId, userId, key, created: now }),
      value,
      version: expectedVersion + 1,
      lastModified: now,
    };
    const write = () =>
      deps.mongo
        .transactionOf(orgId, async (transaction) => {
          await requireUser(deps, { orgId, userId }, transaction);
          if (current === undefined) await deps.userMetadata.insert(orgId, [metadata], transaction);
          else if (!(await deps.userMetadata.replace(orgId, { metadata, expectedVersion }, transaction))) {
            return undefined;
          }
          await deps.events.append([metadataEvent('user.metadata.set', metadata, editor)], transaction);
          return metadata;
        })
        .catch(orTryAgain);
    return deps.quotas.within(orgId, { metadata: current === undefined ? 1 : 0 }, write);
  });
}
