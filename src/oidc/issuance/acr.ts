/** The levels of authentication: the number of its factors. */
export const acrValues = ['1', '2'] as const;

/**
 * The level of a sign-in: the highest demanded level that it reaches. Two factors reach the first level too. If it reaches no
 * demanded level, the result is the highest that it reaches.
 * @param demanded the levels of which one is essential (OpenID Connect Core section 5.5.1.1)
 */
export function acrOf(amr: readonly string[], demanded: readonly string[] = []): (typeof acrValues)[number] {
  const reached = acrValues.slice(0, amr.includes('mfa') ? 2 : 1);
  return (
    reached.findLast((level) => demanded.includes(level)) ?? (reached.at(-1) as (typeof acrValues)[number])
  );
}
