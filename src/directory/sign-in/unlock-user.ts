import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { userEvent } from '../users/user-events.js';
import type { UsersStore } from '../users/users.store.js';
import { codeSubject, passwordSubject } from './check-password.js';
import type { LoginAttempts } from './login-attempts.store.js';

/**
 * Forgets the failed sign-ins of a user, and records `user.unlocked`. Only Redis has the counts, so the version of the
 * user stays.
 * @throws AppError `directory.userNotFound`
 */
export async function unlockUser(
  deps: {
    users: Pick<UsersStore, 'find'>;
    loginAttempts: Pick<LoginAttempts, 'forget'>;
    events: EventsStore;
    clock: Clock;
  },
  { orgId, id, editor }: { orgId: string; id: string; editor: Editor },
): Promise<void> {
  const user = await deps.users.find(orgId, id);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  await Promise.all([passwordSubject, codeSubject].map((of) => deps.loginAttempts.forget(of(id))));
  const at = { ...user, lastModified: deps.clock.now() };
  await deps.events.record(userEvent('user.unlocked', at, editor));
}
