import { scopeWith } from '#src/authorization/requested-claims.js';

/** Where a claim comes from. */
type ClaimSource =
  | 'protocol'
  | 'application'
  | 'person'
  | 'profile'
  | 'attribute'
  | 'group'
  | 'role'
  | 'organization';

/** Where a claim comes from, and the scope that brought it. */
export interface ClaimOrigin {
  readonly source: ClaimSource;
  readonly scope?: string;
}

const ofScope: Readonly<Record<string, ClaimSource>> = {
  groups: 'group',
  'urn:service:iam:user:resourceowner': 'organization',
  'urn:service:iam:user:extensions': 'attribute',
  'urn:service:iam:org:projects:roles': 'role',
};

/** Claims that no scope brings, and that are not of the protocol alone. */
const always: Readonly<Record<string, ClaimSource>> = {
  sub: 'person',
  username: 'profile',
  aud: 'application',
  azp: 'application',
  client_id: 'application',
  'urn:service:iam:client:resourceowner:id': 'application',
  'urn:service:iam:user:resourceowner:id': 'organization',
};

/** Where a claim of a token or of an answer comes from. */
export function claimOriginOf(name: string): ClaimOrigin {
  const known = Object.hasOwn(always, name) ? always[name] : undefined;
  const scope = scopeWith(name);
  if (known !== undefined) return { source: known };
  return scope === undefined ? { source: 'protocol' } : { source: ofScope[scope] ?? 'profile', scope };
}
