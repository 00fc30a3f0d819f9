/** Spring Security, LDAP servers and Dovecot write a password in plain text with one of these schemes. */
const clearScheme = /^\{(?:noop|CLEAR|CLEARTEXT|PLAIN)\}/i;

/**
 * Returns the password that stands in plain text where a hash belongs, such as `{noop}secret`. It is treated as a password in plain
 * text, and never as a hash. Undefined for any other text.
 */
export function clearPasswordIn(text: string): string | undefined {
  const [scheme = ''] = clearScheme.exec(text) ?? [];
  return scheme === '' || scheme === text ? undefined : text.slice(scheme.length);
}

/** Django writes `!` and 40 characters, or `!` alone. Unix writes `*`, `!`, `!!`, `*LK*` or `NP` (shadow(5), passwd(4) of Solaris). */
const noPassword = /^(?:!(?:[A-Za-z0-9]{40})?|!!|!\*|\*{1,2}|\*LK\*|NP)$/;

/** Whether a text that stands where a hash belongs says that nobody can sign in with a password. It hides no hash. */
export function saysNoPassword(text: string): boolean {
  return noPassword.test(text);
}

/** What pages and APIs show instead of a password: Directus `**********`, Google Workspace `****`. */
const mask = /^(?:\*{3,}|[\u2022\u25cf]+)$/;

/** Whether a text only hides a password or a hash. Whoever took it for the password would let everybody in. */
export function isMask(text: string): boolean {
  return mask.test(text);
}

/** The text of a hash without the spaces around it. Those at the end of a password in plain text belong to the password. */
export function hashText(given: string): string {
  const text = given.trimStart();
  return clearPasswordIn(text) === undefined ? text.trimEnd() : text;
}
