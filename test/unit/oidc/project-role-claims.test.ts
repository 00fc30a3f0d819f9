import t from 'tap';
import type { Organization } from '#src/directory/organization.js';
import { projectRoleClaims } from '#src/oidc/issuance/project-role-claims.js';

const organization = { id: 'o1', domains: ['acme.example'] } as unknown as Organization;
const own = 'urn:service:iam:org:project:roles';
const truncated = `${own}:truncated`;
const claimOf = (projectId: string) => `urn:service:iam:org:project:${projectId}:roles`;

function claimsOf(roles: Record<string, string[]>, reader: { projectId?: string; audience: string[] }) {
  return projectRoleClaims(
    { byProject: new Map(Object.entries(roles)), isCut: false },
    organization,
    reader,
  ) as Record<string, Record<string, unknown>>;
}

t.test('a claim for each project of the audience, and one for the project of the application', async (t) => {
  const value = { o1: 'acme.example' };
  const roles = { shop: ['buyer', 'seller'], blog: ['author'], other: ['hidden'] };
  t.same(claimsOf(roles, { projectId: 'shop', audience: ['client', 'shop', 'blog', 'empty'] }), {
    [own]: { buyer: value, seller: value },
    [claimOf('shop')]: { buyer: value, seller: value },
    [claimOf('blog')]: { author: value },
  });
  t.same(claimsOf(roles, { audience: ['blog'] }), { [claimOf('blog')]: { author: value } });
  t.same(
    claimsOf(roles, { projectId: 'shop', audience: ['blog'] }),
    { [claimOf('blog')]: { author: value } },
    'a token that is not for the project says nothing about it',
  );
  t.same(claimsOf({}, { projectId: 'shop', audience: ['shop'] }), {});
});

t.test('names of roles that mean something to JavaScript are names', async (t) => {
  const claims = claimsOf({ p: ['__proto__', 'constructor'] }, { audience: ['p'] });
  const text = JSON.stringify(claims);
  t.match(text, '"__proto__":{"o1":"acme.example"}');
  t.match(text, '"constructor":{"o1":"acme.example"}');
});

t.test('many roles are cut with a mark, those of the application last', async (t) => {
  const many = (count: number, length = 5) =>
    Array.from({ length: count }, (_, n) => String(n).padStart(length, '0'));
  const first = claimsOf({ p: many(201, 3) }, { audience: ['p'] });
  t.equal(first[truncated], true);
  const exact = claimsOf({ p: many(10) }, { audience: ['p'] });
  t.notOk(truncated in exact);

  const cut = claimsOf(
    { big: many(150, 100), own: many(20) },
    { projectId: 'own', audience: ['big', 'own'] },
  );
  t.equal(cut[truncated], true);
  t.equal(Object.keys(cut[own] ?? {}).length, 20, 'whatever else the token is for');
  t.ok(Object.keys(cut[claimOf('big')] ?? {}).length > 10);
  t.ok(JSON.stringify(cut).length <= 8_192 + 100, String(JSON.stringify(cut).length));

  const unread = projectRoleClaims({ byProject: new Map([['p', ['a']]]), isCut: true }, organization, {
    audience: ['p'],
  });
  t.equal(unread[truncated], true, 'also if more were not read');
});

t.test('an organization without a domain', async (t) => {
  const bare = { id: 'o1', domains: [] } as unknown as Organization;
  const held = { byProject: new Map([['p', ['a']]]), isCut: false };
  t.same(projectRoleClaims(held, bare, { audience: ['p'] }), { [claimOf('p')]: { a: { o1: '' } } });
});
