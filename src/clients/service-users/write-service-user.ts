import type { EventsStore } from '#src/audit/events.store.js';
import {
  type AggregateAccess,
  directoryErrors,
  orConflict,
  type Step,
  type Target,
  writeStep,
} from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { ServiceUser } from './service-user.js';
import type { ServiceUsersStore } from './service-users.store.js';

export interface WriteServiceUserDeps {
  readonly mongo: Mongo;
  readonly serviceUsers: ServiceUsersStore;
  readonly events: EventsStore;
  readonly caches: { readonly serviceUsers: Cache<unknown> };
  readonly clock: Clock;
}

/**
 * Writes one step of a service user with its events, as one compare-and-swap on the version. Every change of its
 * credentials and tokens uses this function. A service user that is being removed therefore gets no new ones.
 * @param step pure. If another caller changes the service user meanwhile, it runs again with the newer state.
 * @throws AppError `directory.serviceUserNotFound`, `directory.clientIdTaken`, `directory.changing`
 */
export async function writeServiceUser(
  deps: WriteServiceUserDeps,
  target: Target,
  step: (current: ServiceUser) => Step<ServiceUser>,
): Promise<ServiceUser> {
  const { serviceUsers, caches } = deps;
  const { orgId, id } = target;
  const access: AggregateAccess<ServiceUser> = {
    aggregate: 'user',
    notFound: directoryErrors.serviceUserNotFound,
    find: serviceUsers.find,
    replace: (user, expectedVersion, transaction) =>
      serviceUsers.replace(orgId, { user, expectedVersion }, transaction),
    failed: orConflict(directoryErrors.clientIdTaken),
  };
  const written = await writeStep(deps, access, { ...target, step });
  await caches.serviceUsers.invalidate(id);
  return written;
}
