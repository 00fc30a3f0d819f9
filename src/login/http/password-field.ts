import { type Field, field } from '#src/http/pages/form.js';
import type { Html } from '#src/http/pages/html.js';
import type { Texts } from '../texts/texts.js';

type PasswordField = Omit<Field, 'type' | 'reveal' | 'value'> & {
  readonly autocomplete: 'current-password' | 'new-password';
};

/** A field for a password, with a button that shows what was typed. A page never sends a password back. */
export function passwordField({ showPassword }: Texts, parts: PasswordField): Html {
  return field({ ...parts, type: 'password', reveal: showPassword });
}
