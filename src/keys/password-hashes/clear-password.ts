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

/** The text of a hash without the spaces around it. Those at the end of a password in plain text belong to the password. */
export function hashText(given: string): string {
  const text = given.trimStart();
  return clearPasswordIn(text) === undefined ? text.trimEnd() : text;
}
