import type { ResponseMode } from '#src/authorization/authorization-request.js';
import type { AuthorizeParameters } from '../authorize-parameters.js';

/**
 * How the answer travels (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1). Invalid values are
 * ignored; so is `query` where tokens are asked for, since addresses are logged and remembered. It is chosen
 * before the response type is checked: errors travel the same way.
 */
export function chooseResponseMode(parameters: AuthorizeParameters): ResponseMode {
  const withTokens = /(^| )(id_token|token)( |$)/.test(parameters.get('response_type') ?? '');
  const asked = parameters.get('response_mode');
  if (asked === 'fragment' || asked === 'form_post') return asked;
  return withTokens ? 'fragment' : 'query';
}
