import { requirePreferredLanguage } from '#src/directory/index.js';
import { assumedLanguage } from '#src/people/users/index.js';

/** The language as an import takes it: a tag, or a list as in Accept-Language. Undefined for every other text. */
export function tagOf(tag: string): string | undefined {
  try {
    return requirePreferredLanguage('preferredLanguage', tag);
  } catch {
    return undefined;
  }
}

/** Whether a text is a language, as {@link tagOf} takes it. Some systems write an underscore in a tag. */
export function isLanguage(tag: string): boolean {
  return tagOf(tag) !== undefined;
}

/** An import takes English for the language of people without one, unless the record says that somebody chose it. */
export function languageGiven(tag: string | undefined): { preferredLanguageGiven?: true } {
  return tag === assumedLanguage ? { preferredLanguageGiven: true } : {};
}
