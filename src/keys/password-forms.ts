/**
 * The longest text that is normalized, in UTF-16 units. To normalize takes time in the square of the length of a row of combining marks.
 * No form of a password of 200 characters is longer.
 */
const longestText = 1_600;

/**
 * Returns the form in which a password is hashed: NFC (NIST SP 800-63B-4 section 3.1.1.2, RFC 8265 section 4.2.2). Some devices type a
 * letter and its accent as two characters, others as one. A text that is too long for a password stays as it is.
 */
export function normalizedPassword(typed: string): string {
  return isPlain(typed) ? typed : typed.normalize('NFC');
}

/**
 * Returns the forms in which a typed password is compared: NFC, as typed, and NFD, each only if its bytes differ. Earlier versions and other
 * systems hashed what was typed. The number of forms depends on the typed text alone, so that it tells nothing about an account.
 */
export function passwordForms(typed: string): readonly string[] {
  if (isPlain(typed)) return [typed];
  const forms = [typed.normalize('NFC'), typed, typed.normalize('NFD')];
  // UTF-8 has the same bytes for every half of a surrogate pair.
  const bytes = forms.map((form) => form.toWellFormed());
  return forms.filter((_form, index) => bytes.indexOf(bytes[index] as string) === index);
}

/** Whether the text is the same in every form, as ASCII is, or is not normalized. */
function isPlain(text: string): boolean {
  return text.length > longestText || !/[^\0-\x7f]/.test(text);
}
