import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import { type UsersStore, userEvent } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { codeSubject, forgetAttempts } from './attempt-subjects.js';
import type { LoginAttempts } from './login-attempts.store.js';

/**
 * Forgets the wrong passwords and the wrong codes of a user, and records `user.unlocked`. Only Redis has the counts, so the version of the
 * user stays.
 * @throws AppError `directory.userNotFound`
 */
export async function unlockUser(
  deps: {
    users: Pick<UsersStore, 'find'>;
    loginAttempts: Pick<LoginAttempts, 'forget'>;
    codeAttempts: Pick<LoginAttempts, 'forget'>;
    events: EventsStore;
    caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
    clock: Clock;
  },
  { orgId, id, editor }: { orgId: string; id: string; editor: Editor },
): Promise<void> {
  const user = await deps.users.find(orgId, id);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  const organization = await deps.caches.organizations.get(orgId);
  await forgetAttempts(deps, user, organization);
  await deps.codeAttempts.forget(codeSubject(id));
  const at = { ...user, lastModified: deps.clock.now() };
  await deps.events.record(userEvent('user.unlocked', at, editor));
}
