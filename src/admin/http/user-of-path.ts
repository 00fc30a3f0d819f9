import { directoryErrors, type User } from '#src/directory/index.js';
import type { AdminNeeds } from '../needs/needs.js';
import { orNotFound } from './or-not-found.js';

/** Returns the user that a path names. @throws AppError `directory.userNotFound` */
export function userOfPath(
  { users }: Pick<AdminNeeds, 'users'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<User> {
  return orNotFound(users.find(orgId, id), directoryErrors.userNotFound);
}
