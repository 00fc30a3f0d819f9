import type { ResponseMode } from '#src/authorization/authorization-request.js';
import type { AuthorizeParameters } from './authorize-parameters.js';

/**
 * How the response is sent (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1). Invalid values
 * are ignored. `query` is ignored when tokens are requested, because addresses end up in logs and histories.
 * The mode is chosen before the response type is checked, because errors are sent in the same way.
 */
export function chooseResponseMode(parameters: AuthorizeParameters): ResponseMode {
  const withTokens = /(^| )(id_token|token)( |$)/.test(parameters.get('response_type') ?? '');
  const asked = parameters.get('response_mode');
  if (asked === 'fragment' || asked === 'form_post') return asked;
  return withTokens ? 'fragment' : 'query';
}
