import type { Organization, User } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { asInput, type ChangeUserDeps, changeUser, chosenLanguage } from '#src/people/users/index.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The names in the form of the profile. '' for a name that the person left out. */
export interface EnteredNames {
  readonly givenName: string;
  readonly familyName: string;
  readonly displayName: string;
}

/** Whether the form may leave out a name: a given name or family name that the user has never had. */
export function mayLeaveOut({ name }: User, field: keyof EnteredNames): boolean {
  return field !== 'displayName' && name[field] === undefined;
}

/**
 * Changes the names and the language of a user who is signed in. What is left out stays as it is.
 * @throws the errors of {@link changeUser}
 */
export async function changeOwnProfile(
  deps: ChangeUserDeps & Pick<LoginNeeds, 'userCounter'>,
  change: { organization: Organization; user: User; entered: EnteredNames; language: Language | undefined },
): Promise<void> {
  const { organization, user, entered, language } = change;
  const { givenName, familyName, displayName } = entered;
  await changeUser(deps, {
    organization,
    id: user.id,
    editor: { userId: user.id, service: 'account' },
    change: (current) => ({
      profile: {
        ...asInput(current),
        name: {
          ...current.name,
          ...(givenName !== '' && { givenName }),
          ...(familyName !== '' && { familyName }),
        },
        ...(!hasSameNames(current, entered) && { displayName }),
        ...(language !== undefined && !speaks(current, language) && { preferredLanguage: language }),
      },
    }),
  });
  await deps.userCounter.changed(organization.id);
}

/** Whether the language is chosen already. A form that shows it then keeps a region, and further languages. */
function speaks(user: User, language: Language): boolean {
  return chosenLanguage(user)?.split('-', 1)[0] === language;
}

/** Whether the form leaves all names as they were. A displayName that was made of the names then stays so. */
function hasSameNames({ name, displayName }: User, entered: EnteredNames): boolean {
  return (
    displayName === entered.displayName &&
    name.givenName === (entered.givenName || undefined) &&
    name.familyName === (entered.familyName || undefined)
  );
}
