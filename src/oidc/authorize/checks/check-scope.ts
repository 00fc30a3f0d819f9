import { parseScope } from '#src/authorization/scope.js';
import type { Application, ResponseType } from '#src/clients/applications/index.js';
import { adminScope, mayRequestAdministration } from '#src/directory/index.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

const maxScopes = 100;

/**
 * The scope that will be granted. Unknown scopes are left out (OpenID Connect Core section 3.1.2.1).
 * `offline_access` is left out when no code is issued, since only a code can lead to a refresh token (section
 * 11).
 */
export function checkScope(
  application: Application,
  parameters: AuthorizeParameters,
  responseType: ResponseType,
): string {
  const given = parameters.get('scope') ?? '';
  // RFC 6749 section 3.3: printable ASCII except the double quote and the backslash.
  if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(given)) {
    throw new RedirectedError('invalid_scope', 'The scope is malformed');
  }
  const { known, unknown, organizations } = parseScope(given);
  if (!known.includes('openid')) throw new RedirectedError('invalid_scope', 'The scope openid is missing');
  if (known.length + unknown.length > maxScopes) {
    throw new RedirectedError('invalid_scope', `There are too many scopes: more than ${maxScopes}`);
  }
  if (organizations.length > 1) {
    throw new RedirectedError('invalid_scope', 'Nobody belongs to more than one organization');
  }
  if (known.includes(adminScope)) {
    if (!mayRequestAdministration(application))
      throw new RedirectedError(
        'invalid_scope',
        `The application may not request ${adminScope}: an owner of the instance must mark it for administration`,
      );
    // An address is no place for a token that administers.
    if (responseType !== 'code')
      throw new RedirectedError('invalid_scope', `The scope ${adminScope} needs the response type code`);
  }
  return known.filter((scope) => scope !== 'offline_access' || responseType === 'code').join(' ');
}
