import { newEvents } from '#src/audit/new-event.js';
import { AppError } from '#src/platform/errors.js';
import { compareAndSwap } from '../compare-and-swap.js';
import { directoryErrors } from '../errors.js';
import type { Target } from '../write-step.js';
import type { WriteApplicationDeps } from './write-application.js';

/**
 * Removes an application with its secrets and keys. It cannot be restored.
 * @throws AppError `directory.applicationNotFound`, `directory.changing`
 */
export async function removeApplication(
  deps: WriteApplicationDeps,
  { orgId, id, editor }: Target,
): Promise<void> {
  await compareAndSwap(async () => {
    const current = await deps.applications.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.applicationNotFound);
    const { name, version } = current;
    const last = { ...current, version: version + 1, lastModified: deps.clock.now() };
    return deps.mongo.transaction(async (transaction) => {
      if (!(await deps.applications.remove(orgId, { id, expectedVersion: version }, transaction)))
        return undefined;
      const happened = [['application.removed', { name }]] as const;
      await deps.events.append(newEvents('application', last, { happened, editor }), transaction);
      return last;
    });
  });
  await deps.caches.applications.invalidate(id);
}
