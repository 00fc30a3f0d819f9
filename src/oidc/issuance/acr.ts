/** The levels of authentication: the number of its factors. */
export const acrValues = ['1', '2'] as const;

/**
 * The level of a sign-in. A sign-in with two factors reaches the first level too: if an application demands that one alone, the
 * result is the highest demanded level that the sign-in reaches.
 * @param demanded the levels of which one is essential (OpenID Connect Core section 5.5.1.1)
 */
export function acrOf(amr: readonly string[], demanded: readonly string[] = []): (typeof acrValues)[number] {
  const reached = acrValues.slice(0, amr.includes('mfa') ? 2 : 1);
  return (
    reached.findLast((level) => demanded.includes(level)) ?? (reached.at(-1) as (typeof acrValues)[number])
  );
}
