import { parseScope, splitScope } from '#src/authorization/scope.js';
import { isScimScope } from '#src/clients/service-users/index.js';
import { OAuthError } from '../protocol/oauth-error.js';
import type { ScopeLimit } from './grant.js';

const maxScopes = 100;

/**
 * The scope to issue (RFC 6749 section 3.3).
 * @param asked the parameter `scope`
 * @throws OAuthError `invalid_scope` for a scope that is malformed, unknown or beyond the limit
 */
export function limitScope(limit: ScopeLimit, asked: string | undefined): string {
  if (limit.kind === 'fixed') return limit.scope;
  if (limit.kind === 'serviceUser' && asked === undefined) return '';
  const scopes = splitScope(asked ?? '');
  if (scopes.size > maxScopes)
    throw new OAuthError('invalid_scope', `Too many scopes: more than ${maxScopes}`);
  if (limit.kind === 'serviceUser') return limitServiceUserScope([...scopes], limit.orgId);
  if (scopes.size === 0) return limit.byDefault ?? limit.scope;
  const granted = splitScope(limit.scope);
  for (const scope of scopes) {
    if (!granted.has(scope)) throw new OAuthError('invalid_scope', 'The scope exceeds what was granted');
  }
  return [...scopes].join(' ');
}

/** A service user gets no refresh tokens, and only its own organization. Scopes of SCIM are for service users alone. */
function limitServiceUserScope(scopes: readonly string[], orgId: string): string {
  const others = scopes.filter((scope) => !isScimScope(scope));
  const { known, unknown, organizations } = parseScope(others.join(' '));
  if (
    unknown.length > 0 ||
    known.includes('offline_access') ||
    organizations.some((named) => named !== orgId)
  ) {
    throw new OAuthError('invalid_scope', 'The scope is unknown, malformed or not for this client');
  }
  return scopes.join(' ');
}
