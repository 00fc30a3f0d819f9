import type { Editor } from '#src/audit/event.js';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import type { Organization } from '../organizations/organization.js';
import { type ChangeUserDeps, changeUser } from '../users/change-user.js';
import type { User } from '../users/user.js';
import type { OneTimeLink, OneTimeLinksStore } from './one-time-links.store.js';

/**
 * Sets a user's password under the policy of the organization. One-time links that the user has are void then.
 * @param request with a `link` it is used up in the same transaction: of several who have it one sets the password;
 * the address that it was mailed to is verified then
 * @throws AppError `directory.linkInvalid` and what {@link changeUser} throws
 */
export function setPassword(
  deps: ChangeUserDeps & { readonly oneTimeLinks: OneTimeLinksStore },
  request: {
    organization: Organization;
    id: string;
    password: string;
    editor: Editor;
    link?: OneTimeLink;
  },
): Promise<User> {
  const { organization, id, password, editor, link } = request;
  return changeUser(deps, {
    organization,
    id,
    editor,
    change: (profile) => ({
      profile,
      password,
      ...(link?.mailedTo !== undefined && { provenEmail: link.mailedTo }),
    }),
    alongside: async (transaction) => {
      if (link !== undefined && !(await deps.oneTimeLinks.take(link.hash, transaction)))
        throw new AppError(directoryErrors.linkInvalid);
    },
  });
}
