import type { Editor } from '#src/audit/event.js';
import type { Organization, User } from '#src/directory/index.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newUser, type UserDraft } from './new-user.js';
import { type FindTaken, requireFreeExternalId } from './unique-values.js';
import type { BatchNewUser } from './write-new-users.js';

/**
 * Adds one user to an organization.
 * @throws AppError `directory.userNameTaken`, `directory.valueTaken`, `directory.quotaExceeded` and the errors of {@link newUser}
 */
export async function addUser(
  deps: {
    batchNewUser: BatchNewUser;
    users: FindTaken;
    passwords: PasswordHasher;
    quotas: Pick<Quotas, 'within'>;
    clock: Clock;
  },
  { organization, draft, editor }: { organization: Organization; draft: UserDraft; editor: Editor },
): Promise<User> {
  const orgId = organization.id;
  return deps.quotas.within(orgId, { users: 1 }, async () => {
    const added = await newUser(deps, organization, draft);
    await requireFreeExternalId(deps.users, added.user);
    await deps.batchNewUser({ organization, added, editor });
    return added.user;
  });
}
