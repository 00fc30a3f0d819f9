import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey, type Mongo, type Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { compareAndSwap } from '../compare-and-swap.js';
import { directoryErrors } from '../errors.js';
import type { ServiceUser } from './service-user.js';
import type { ServiceUsersStore } from './service-users.store.js';

export interface WriteServiceUserDeps {
  readonly mongo: Mongo;
  readonly serviceUsers: ServiceUsersStore;
  readonly events: EventsStore;
  readonly caches: { readonly serviceUsers: Cache<unknown> };
  readonly clock: Clock;
}

/** What becomes of a service user, and what happened to it by name. */
export interface ServiceUserStep {
  readonly user: ServiceUser;
  /** None: nothing is written. Each counts the version up by one. */
  readonly happened: readonly Happening[];
}

export interface WriteServiceUserRequest {
  readonly orgId: string;
  readonly id: string;
  readonly editor: Editor;
  /** Pure: may be called again with a newer state when somebody else changed it in between. */
  readonly step: (current: ServiceUser) => ServiceUserStep;
  /** More to write in the same transaction. May run more than once. */
  readonly alongside?: (transaction: Transaction) => Promise<void>;
}

/**
 * Writes one step of a service user with its events as one compare-and-swap on the version. Everything that
 * belongs to a service user is written through here, so that nothing is added to one that is being removed.
 * @throws AppError `directory.serviceUserNotFound`, `directory.clientIdTaken`, `directory.changing`
 */
export async function writeServiceUser(
  deps: WriteServiceUserDeps,
  { orgId, id, editor, step, alongside }: WriteServiceUserRequest,
): Promise<ServiceUser> {
  const written = await compareAndSwap(async () => {
    const current = await deps.serviceUsers.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
    const next = step(current);
    const { happened } = next;
    if (happened.length === 0) return current;
    const expectedVersion = current.version;
    const user = {
      ...next.user,
      version: expectedVersion + happened.length,
      lastModified: deps.clock.now(),
    };
    return deps.mongo
      .transaction(async (transaction) => {
        if (!(await deps.serviceUsers.replace(orgId, { user, expectedVersion }, transaction))) {
          return undefined;
        }
        await alongside?.(transaction);
        await deps.events.append(newEvents('user', user, { happened, editor }), transaction);
        return user;
      })
      .catch(userNameTaken);
  });
  await deps.caches.serviceUsers.invalidate(id);
  return written;
}

function userNameTaken(error: unknown): never {
  if (isDuplicateKey(error)) throw new AppError(directoryErrors.clientIdTaken);
  throw error;
}
