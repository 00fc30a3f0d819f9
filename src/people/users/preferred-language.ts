import { preferredTag, type UserProfile } from '#src/directory/index.js';

/** The language of a user to whom no client gave one. */
export const assumedLanguage = 'en';

type Language = Pick<UserProfile, 'preferredLanguage' | 'preferredLanguageGiven'>;

/** Returns what a profile stores for the language that a client gave, if it gave one. */
export function storedLanguage(given: string | undefined): Language {
  const isAssumed = given === assumedLanguage;
  return {
    preferredLanguage: given ?? assumedLanguage,
    ...(isAssumed && { preferredLanguageGiven: true as const }),
  };
}

/** The preferred language as a client gave it, perhaps a list of tags. Undefined if it is only assumed. */
export function givenLanguage({ preferredLanguage, preferredLanguageGiven }: Language): string | undefined {
  return preferredLanguage !== assumedLanguage || preferredLanguageGiven ? preferredLanguage : undefined;
}

/** The tag of the language that the user or a client chose. Undefined if nobody chose: pages then follow the browser. */
export function chosenLanguage(language: Language): string | undefined {
  const given = givenLanguage(language);
  return given === undefined ? undefined : preferredTag(given);
}

/**
 * Whether both profiles have the same language, and a person or client chose it in only one of them. Clients of SCIM see the same value.
 * Pages for the person of the other profile follow the browser.
 */
export function onlyOneChoseLanguage(a: Language, b: Language): boolean {
  return a.preferredLanguage === b.preferredLanguage && a.preferredLanguageGiven !== b.preferredLanguageGiven;
}
