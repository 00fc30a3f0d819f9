import { OAuthError } from '../protocol/oauth-error.js';

/** Scopes that a service user may ask for. */
const plainScopes = new Set([
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'urn:service:iam:user:resourceowner',
]);

const organizationScope = /^urn:service:iam:org:id:([\w.:-]{1,100})$/;
const projectAudienceScope = /^urn:service:iam:org:project:id:([\w.:-]{1,100}):aud$/;

/** What a scope parameter asks for. */
export interface RequestedScope {
  /** Space-delimited, each once, in the order of the request. */
  readonly scope: string;
  /** Projects that the audience is widened by. */
  readonly audience: readonly string[];
}

/**
 * Checks the scope of a service user's token request (RFC 6749 section 3.3).
 * @param orgId the organization of the service user; the organization scope must name it
 * @throws OAuthError `invalid_scope` for malformed or unknown scopes
 */
export function checkServiceUserScope(text: string | undefined, orgId: string): RequestedScope {
  const scopes = new Set((text ?? '').split(' ').filter((scope) => scope !== ''));
  if (scopes.size > 100) throw new OAuthError('invalid_scope', 'Too many scopes');
  const audience: string[] = [];
  for (const scope of scopes) {
    if (plainScopes.has(scope)) continue;
    const project = projectAudienceScope.exec(scope)?.[1];
    if (project !== undefined) audience.push(project);
    else if (organizationScope.exec(scope)?.[1] !== orgId) {
      throw new OAuthError('invalid_scope', 'The scope is unknown, malformed or not for this client');
    }
  }
  return { scope: [...scopes].join(' '), audience };
}
