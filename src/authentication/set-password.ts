import type { OneTimeLink, OneTimeLinksStore } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization, type User } from '#src/directory/index.js';
import { asInput, type ChangeUserDeps, changeUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';

/**
 * Sets the password of a user under the policy of the organization. All one-time links of the user become invalid.
 * @param request with a `link`, the same transaction uses the link. If several requests use it, one sets the password.
 * The address that received the link is then verified.
 * @throws AppError `directory.linkInvalid` and the errors of {@link changeUser}
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
    change: (current) => ({
      profile: asInput(current),
      password,
      ...(link?.mailedTo !== undefined && { provenEmail: link.mailedTo }),
    }),
    alongside: async (transaction) => {
      if (link !== undefined && !(await deps.oneTimeLinks.take(link.hash, transaction)))
        throw new AppError(directoryErrors.linkInvalid);
    },
  });
}
