import { requireLanguageTag } from '#src/directory/index.js';
import { assumedLanguage } from '#src/people/users/index.js';

/** The language as an import takes it. Undefined if it is no language tag. */
export function tagOf(tag: string): string | undefined {
  try {
    return requireLanguageTag('preferredLanguage', tag.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}

/** Whether a text is a language tag. Some systems write an underscore in it. */
export function isLanguage(tag: string): boolean {
  return tagOf(tag) !== undefined;
}

/** An import takes English for the language of people without one, unless the record says that somebody chose it. */
export function languageGiven(tag: string | undefined): { preferredLanguageGiven?: true } {
  return tag === assumedLanguage ? { preferredLanguageGiven: true } : {};
}
