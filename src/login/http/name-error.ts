import { hasInvisibleCharacters, hasUnusableCharacters, isLongerThan } from '#src/directory/index.js';
import type { Texts } from '../texts/texts.js';

const maxName = 200;

/** What is wrong with a name that a person typed: it is absent, or may not be stored (see `requireText`). Undefined for a right name. */
export function nameError(name: string, { required, wrongName }: Texts): string | undefined {
  if (name === '') return required;
  const isStorable =
    !isLongerThan(name, maxName) && !hasUnusableCharacters(name) && !hasInvisibleCharacters(name);
  return isStorable ? undefined : wrongName;
}
