import type { UserProfile } from './user.js';

/** The language of a user to whom no client gave one. */
const assumed = 'en';

type Language = Pick<UserProfile, 'preferredLanguage' | 'preferredLanguageGiven'>;

/** Returns what a profile stores for the language that a client gave, if it gave one. */
export function storedLanguage(given: string | undefined): Language {
  const isAssumed = given === assumed;
  return {
    preferredLanguage: given ?? assumed,
    ...(isAssumed && { preferredLanguageGiven: true as const }),
  };
}

/** The language that the user or a client chose. Undefined if nobody chose: pages then follow the browser. */
export function chosenLanguage({ preferredLanguage, preferredLanguageGiven }: Language): string | undefined {
  return preferredLanguage !== assumed || preferredLanguageGiven ? preferredLanguage : undefined;
}

/**
 * Whether both have the same language, and a client gave it to one of them alone. Clients see no difference, but pages follow the browser of
 * the other one.
 */
export function isLanguageOtherwiseGiven(a: Language, b: Language): boolean {
  return a.preferredLanguage === b.preferredLanguage && a.preferredLanguageGiven !== b.preferredLanguageGiven;
}
