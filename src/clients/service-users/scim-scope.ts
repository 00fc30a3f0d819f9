import { adminScope } from '#src/directory/index.js';

/**
 * Scopes of service users alone, for clients of SCIM that ask for one. The profile of IPSIE demands `scim`. Microsoft Entra is documented
 * with either. A token with one of them permits nothing but SCIM: see {@link isForScimAlone}.
 */
export const scimScopes = ['scim', 'scim.readwrite'] as const;

const scim: ReadonlySet<string> = new Set(scimScopes);

/** Whether a scope is one of {@link scimScopes}. */
export function isScimScope(scope: string): boolean {
  return scim.has(scope);
}

/**
 * Whether a token of a service user with this scope permits SCIM and nothing else. With the scope of administration beside it, the token
 * permits both. A token without a scope of SCIM permits all that the roles permit.
 * @param scope space-delimited
 */
export function isForScimAlone(scope: string): boolean {
  if (!scope.includes('scim')) return false;
  const scopes = scope.split(' ');
  return scopes.some(isScimScope) && !scopes.includes(adminScope);
}
