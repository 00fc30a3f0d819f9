import type { UserDraft } from '#src/people/users/new-user.js';

/**
 * The digits of a number, followed by the same digits backwards. A prefix and a suffix of a userName therefore match
 * equally many users.
 */
export function digits(n: number): { forward: string; backward: string } {
  const forward = String(n).padStart(7, '0');
  return { forward, backward: [...forward].reverse().join('') };
}

/** Where the numbers of the people that a measure adds begin. All measures of a run share an organization. */
export const firstNumbers = {
  scim: 1_000_000,
  bulk: 5_000_000,
  besideReads: 5_500_000,
  organizations: 6_000_000,
  provisioning: 7_000_000,
  besideProvisioning: 7_500_000,
  oidc: 8_000_000,
  login: 9_000_000,
  earlier: 10_000_000,
  changes: 11_000_000,
  notSlower: 12_000_000,
  start: 13_000_000,
  twoProcesses: 14_000_000,
} as const;

const families = ['Almeida', 'Bergström', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'Goldberg', 'Hansen'];
const givens = ['Ada', 'Björn', 'Chloé', 'Diego', 'Elif', 'Farid', 'Grace', 'Hiroshi', 'Ines', 'Jonas'];
const pick = (list: readonly string[], n: number) => list[n % list.length] ?? '';

/** The attributes of the n-th person, as a provisioning client usually sends them. */
export function profileOf(n: number): UserDraft['profile'] {
  const { forward, backward } = digits(n);
  return {
    userName: `p${forward}.person.${backward}`,
    externalId: `ext-${forward}`,
    name: { givenName: pick(givens, n), familyName: `${pick(families, n)}-${n % 977}` },
    emails: [{ value: `p${forward}@${backward}.example.com`, type: 'work', primary: true }],
    title: 'Engineer',
    active: true,
  };
}

/** The same person as the body of a SCIM creation. */
export function scimUser(n: number): Record<string, unknown> {
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...profileOf(n) };
}
