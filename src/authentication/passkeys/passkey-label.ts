import { hasInvisibleCharacters, hasUnusableCharacters, isLongerThan } from '#src/directory/index.js';

/** The longest name of a passkey, in characters. */
const longestPasskeyLabel = 60;

/**
 * Returns the name of a passkey as it is stored. Undefined for a text that is empty or too long, or has control characters or invisible ones,
 * with which a name could pass for another.
 */
export function readPasskeyLabel(text: string): string | undefined {
  if (isLongerThan(text, longestPasskeyLabel * 2)) return undefined;
  const label = text.trim().normalize('NFC');
  if (label === '' || isLongerThan(label, longestPasskeyLabel)) return undefined;
  return hasUnusableCharacters(label) || hasInvisibleCharacters(label) || /[\t\n\r]/.test(label)
    ? undefined
    : label;
}
