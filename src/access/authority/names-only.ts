/**
 * Whether the body of a change names none but these properties. A rule that asks for a fresh sign-in for some changes lists those that
 * need none, so that a new property needs one until somebody thinks of it.
 */
export function namesOnly(body: object, harmless: readonly string[]): boolean {
  return Object.keys(body).every((name) => harmless.includes(name));
}
