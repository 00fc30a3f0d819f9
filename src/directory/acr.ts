/**
 * The levels of authentication that this service tells as `acr` (OpenID Connect Core section 2), from the lowest. A sign-in of a level
 * also has the levels before it.
 *
 * - `1`: one factor.
 * - `2`: two factors. Who steals one of them does not have the other.
 * - `phr`: two factors, of which one resists phishing (OpenID Connect Extended Authentication Profile, ACR Values 1.0).
 */
export const acrValues = ['1', '2', 'phr'] as const;

export type Acr = (typeof acrValues)[number];

/** Returns whether a sign-in of one level also has another level. */
export function includesAcr(reached: Acr, level: Acr): boolean {
  return acrValues.indexOf(reached) >= acrValues.indexOf(level);
}
