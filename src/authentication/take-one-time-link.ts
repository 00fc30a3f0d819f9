import type { OneTimeLink, OneTimeLinksStore } from '#src/accounts/index.js';
import { directoryErrors, type Organization, type User } from '#src/directory/index.js';
import { asInput, type ChangeUserDeps, changeUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { type CheckOrigin, type RecordCheckDeps, recordCheck } from './record-check.js';

/**
 * Uses a one-time link that sets no password. If several requests use it, one gets the user. The address that received the link is then
 * verified.
 * @throws AppError `directory.linkInvalid` and the errors of {@link changeUser}
 */
export async function takeOneTimeLink(
  deps: ChangeUserDeps & RecordCheckDeps & { readonly oneTimeLinks: OneTimeLinksStore },
  { organization, link, from }: { organization: Organization; link: OneTimeLink; from: CheckOrigin },
): Promise<User> {
  const { userId: id, mailedTo, hash } = link;
  const user = await changeUser(deps, {
    organization,
    id,
    editor: { userId: id, service: 'login' },
    change: (current) => ({
      profile: asInput(current),
      ...(mailedTo !== undefined && { provenEmail: mailedTo }),
    }),
    alongside: async (transaction) => {
      if (!(await deps.oneTimeLinks.take(hash, transaction))) throw new AppError(directoryErrors.linkInvalid);
    },
  });
  await recordCheck(deps, user, { happened: ['user.human.link.check.succeeded'], from });
  return user;
}
