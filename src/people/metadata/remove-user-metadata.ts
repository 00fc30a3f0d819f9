import type { Editor } from '#src/audit/event.js';
import { compareAndSwap, directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { UserMetadataDeps } from './set-user-metadata.js';
import { metadataEvent } from './user-metadata.js';

/**
 * Removes the metadata of a user under a key.
 * @throws AppError `directory.metadataNotFound`, `directory.changing`
 */
export async function removeUserMetadata(
  deps: Pick<UserMetadataDeps, 'mongo' | 'userMetadata' | 'events' | 'clock'>,
  { orgId, userId, key, editor }: { orgId: string; userId: string; key: string; editor: Editor },
): Promise<void> {
  await compareAndSwap(['user', userId, editor.userId], async () => {
    const current = await deps.userMetadata.find(orgId, { userId, key });
    if (current === undefined) throw new AppError(directoryErrors.metadataNotFound);
    const { version: expectedVersion } = current;
    const last = { ...current, version: expectedVersion + 1, lastModified: deps.clock.now() };
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      const target = { userId, key, expectedVersion };
      if (!(await deps.userMetadata.remove(orgId, target, transaction))) return undefined;
      await deps.events.append([metadataEvent('user.metadata.removed', last, editor)], transaction);
      return last;
    });
  });
}
