import { type Acr, acrValues } from '#src/directory/index.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';

/**
 * The levels of authentication that the application prefers, the preferred one first (OpenID Connect Core section 3.1.2.1). Unknown ones
 * are left out: the claim is voluntary, so no value makes a request fail.
 */
export function readAcrValues(parameters: AuthorizeParameters): Acr[] {
  const given = new Set((parameters.get('acr_values') ?? '').split(' '));
  return [...given].flatMap((value) => acrValues.find((level) => level === value) ?? []);
}
