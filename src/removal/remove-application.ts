import { newEvents } from '#src/audit/new-event.js';
import { forgetOrigins, type WriteApplicationDeps } from '#src/clients/applications/index.js';
import type { ConsentsStore } from '#src/clients/consents/index.js';
import type { ApplicationGrantsStore } from '#src/clients/grants/index.js';
import { compareAndSwap, directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

interface RemoveApplicationDeps extends WriteApplicationDeps {
  readonly applicationGrants: Pick<ApplicationGrantsStore, 'removeOfApplication'>;
  readonly consents: Pick<ConsentsStore, 'removeOfApplication'>;
}

/**
 * Removes an application with its secrets, its keys, and what others gave it: the grants of organizations and the consents of
 * people. It cannot be restored. The event `application.removed` covers all of this.
 * @throws AppError `directory.applicationNotFound`, `directory.changing`
 */
export async function removeApplication(
  deps: RemoveApplicationDeps,
  { orgId, id, editor }: Target,
): Promise<void> {
  const removed = await compareAndSwap(['application', id, editor.userId], async () => {
    const current = await deps.applications.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.applicationNotFound);
    const { name, version } = current;
    const last = { ...current, version: version + 1, lastModified: deps.clock.now() };
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      if (!(await deps.applications.remove(orgId, { id, expectedVersion: version }, transaction)))
        return undefined;
      await deps.applicationGrants.removeOfApplication(id, transaction);
      const happened = [['application.removed', { name }]] as const;
      await deps.events.append(newEvents('application', last, { happened, editor }), transaction);
      return last;
    });
  });
  await deps.caches.applications.invalidate(id);
  await forgetOrigins(deps, removed.redirectUris);
  // There may be too many consents for one transaction. Without the application they let nobody in.
  await deps.consents.removeOfApplication(id);
}
