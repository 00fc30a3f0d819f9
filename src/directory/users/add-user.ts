import type { Editor } from '#src/audit/event.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Clock } from '#src/platform/clock.js';
import type { Organization } from '../organizations/organization.js';
import { newUser, type UserDraft } from './new-user.js';
import type { User } from './user.js';
import type { WriteNewUser } from './write-new-users.js';

/**
 * Adds one user to an organization.
 * @throws AppError `directory.userNameTaken` and the errors of {@link newUser}
 */
export async function addUser(
  deps: { writeNewUser: WriteNewUser; passwords: PasswordHasher; clock: Clock },
  { organization, draft, editor }: { organization: Organization; draft: UserDraft; editor: Editor },
): Promise<User> {
  const added = await newUser(deps, organization, draft);
  await deps.writeNewUser({ orgId: organization.id, added, editor });
  return added.user;
}
