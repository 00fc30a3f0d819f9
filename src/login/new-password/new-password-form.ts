import type { Organization } from '#src/directory/index.js';
import { submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { type Html, html } from '#src/http/pages/html.js';
import { type NewPasswordErrors, policyHint } from '../http/new-password.js';
import { passwordField } from '../http/password-field.js';
import type { Visit } from '../http/visit.js';

/** A new password, as a person typed it twice. */
export function readNewPassword(body: unknown): { password: string; repeated: string } {
  return { password: formText(body, 'password'), repeated: formText(body, 'repeated') };
}

/**
 * The fields for the new password and its repetition.
 * @param shown the hidden `userName` tells password managers the account
 */
export function newPasswordFields(
  { texts: t, language }: Visit,
  shown: { organization: Organization; errors: NewPasswordErrors; userName?: string },
): Html {
  const { organization, errors, userName } = shown;
  return html`${userName !== undefined && html`<input type="text" value="${userName}" autocomplete="username" hidden readonly>`}
${passwordField(t, {
  name: 'password',
  label: t.newPassword,
  autocomplete: 'new-password',
  // The error contains the hint.
  hint: errors.password === undefined ? policyHint(organization.passwordPolicy, language) : undefined,
  error: errors.password,
  isFocused: errors.repeated === undefined,
})}
${passwordField(t, {
  name: 'repeated',
  label: t.repeatPassword,
  autocomplete: 'new-password',
  error: errors.repeated,
  isFocused: errors.repeated !== undefined,
})}
${submit(t.setPassword)}`;
}
