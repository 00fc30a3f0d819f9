import { directoryErrors, type User } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { AdminNeeds } from '../needs/needs.js';

/** Returns the user that a path names. @throws AppError `directory.userNotFound` */
export async function userOfPath(
  { users }: Pick<AdminNeeds, 'users'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<User> {
  const user = await users.find(orgId, id);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  return user;
}
