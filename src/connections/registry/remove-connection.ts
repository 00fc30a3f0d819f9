import { newEvents } from '#src/audit/new-event.js';
import { compareAndSwap, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { connectionErrors } from './errors.js';
import { keepAbleOwner, type WriteConnectionDeps } from './write-connection.js';

/**
 * Removes a connection with its secrets. Its sessions and waiting sign-ins end at once. People stay. Their links to it sign nobody in, because
 * no connection gets its identifier again, and disappear with the next change of their links.
 * @throws AppError `connections.connectionNotFound`, `directory.changing`, `directory.lastAbleOwner` if no owner could sign in without it
 */
export async function removeConnection(
  deps: Pick<
    WriteConnectionDeps,
    'ableOwners' | 'mongo' | 'connections' | 'events' | 'clock' | 'caches' | 'endSignIns'
  >,
  { orgId, id, editor }: Target,
): Promise<void> {
  await compareAndSwap(['connection', id, editor.userId], async () => {
    const current = await deps.connections.find(orgId, id);
    if (current === undefined) throw new AppError(connectionErrors.connectionNotFound);
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      const target = { id, expectedVersion: current.version };
      if (!(await deps.connections.remove(orgId, target, transaction))) return undefined;
      await keepAbleOwner(deps, { orgId, editor }, transaction);
      const last = { ...current, version: current.version + 1, lastModified: deps.clock.now() };
      const happened = [['connection.removed', { name: current.name }]] as const;
      await deps.events.append(newEvents('connection', last, { happened, editor }), transaction);
      return current;
    });
  });
  await deps.caches.connections.invalidate(orgId);
  await deps.endSignIns({ orgId, connectionId: id });
}
