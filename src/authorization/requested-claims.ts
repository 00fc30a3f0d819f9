import { parseScope, type plainScopes, projectRolesScope } from './scope.js';

/** The claims about a person, each with the scope that contains it (OpenID Connect Core section 5.4). */
const claimsOfScope = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'picture',
    'profile',
    'website',
    'gender',
    'birthdate',
    'locale',
    'zoneinfo',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
  groups: ['groups', 'groups_truncated'],
  'urn:service:iam:user:resourceowner': ['id', 'name', 'primary_domain'].map(
    (name) => `urn:service:iam:user:resourceowner:${name}`,
  ),
  'urn:service:iam:user:enterprise': [
    'employee_number',
    'cost_center',
    'organization',
    'division',
    'department',
    'manager',
  ],
  'urn:service:iam:user:extensions': [
    'urn:service:iam:user:extensions',
    'urn:service:iam:user:extensions:truncated',
  ],
  [projectRolesScope]: ['urn:service:iam:org:project:roles', 'urn:service:iam:org:project:roles:truncated'],
} as const satisfies Partial<Record<(typeof plainScopes)[number], readonly string[]>>;

const scopeOf: ReadonlyMap<string, string> = new Map(
  Object.entries(claimsOfScope).flatMap(([scope, claims]) => claims.map((claim) => [claim, scope] as const)),
);

/** The claims with the roles in a project that the claim names. */
const rolesOfProject = /^urn:service:iam:org:project:[\w.~:-]{1,200}:roles$/;

/** The scope that contains a claim about a person; undefined if there is no such claim. */
export function scopeWith(claim: string): string | undefined {
  return scopeOf.get(claim) ?? (rolesOfProject.test(claim) ? projectRolesScope : undefined);
}

/** Every claim about a person that an application may request, except those that name a project. */
export const personClaims: readonly string[] = [...scopeOf.keys()];

/** What the parameter `claims` asks for (OpenID Connect Core section 5.5). Claims that this service lacks are left out. */
export interface RequestedClaims {
  /** Claims to return from userinfo, besides those of the scope. */
  readonly userinfo?: readonly string[];
  /** Claims to put into the ID token, besides those of the scope. */
  readonly idToken?: readonly string[];
  /**
   * In a request, the levels of authentication of which one is essential. Empty if this service knows none of them, so that no sign-in
   * suffices. In a grant, the levels that were asked for, essential or not: tokens tell one of them.
   */
  readonly acrs?: readonly string[];
}

/**
 * The scope, and the scopes of the requested claims. It decides what the person must have consented to. Consent to a claim is
 * consent to its scope.
 */
export function scopeToConsent(scope: string, claims?: RequestedClaims | readonly string[]): string {
  // Most tokens have none, and every use of a token asks.
  if (claims === undefined) return scope;
  const names = 'length' in claims ? claims : [...(claims.userinfo ?? []), ...(claims.idToken ?? [])];
  if (names.length === 0) return scope;
  const { known } = parseScope(scope);
  const added = new Set(names.flatMap((name) => scopeWith(name) ?? []));
  return [scope, ...[...added].filter((name) => !known.includes(name))].join(' ');
}

/** Whether a scope contains a claim. Both ways to ask for the organization contain the claims about it. */
export function scopeContains(scope: string, claim: string): boolean {
  const { known, organizations } = parseScope(scope);
  const needed = scopeWith(claim);
  if (needed === undefined) return false;
  return (
    known.includes(needed) || (needed === 'urn:service:iam:user:resourceowner' && organizations.length > 0)
  );
}

/**
 * The requested claims that a token of a narrower scope keeps. A client that gives up a scope gives up its claims, also those that it
 * requested singly. Claims that the granted scope never contained stay: they were requested besides the scope (OpenID Connect Core
 * section 5.5), and a refresh (section 12.2) names only scopes, so it says nothing about them.
 * @param granted the scope that the person granted
 * @param scope the same scope or a narrower one
 */
export function claimsWithin(
  claims: RequestedClaims | undefined,
  { granted, scope }: { granted: string; scope: string },
): RequestedClaims | undefined {
  if (claims === undefined || granted === scope) return claims;
  const isKept = (claim: string) => !scopeContains(granted, claim) || scopeContains(scope, claim);
  const { userinfo, idToken } = claims;
  return {
    ...claims,
    ...(userinfo !== undefined && { userinfo: userinfo.filter(isKept) }),
    ...(idToken !== undefined && { idToken: idToken.filter(isKept) }),
  };
}
