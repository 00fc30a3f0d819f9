import t from 'tap';
import type { User } from '#src/directory/user.js';
import { claimsText, joinObjects } from '#src/oidc/issuance/claims-text.js';
import type { Subject, SubjectDeps } from '#src/oidc/issuance/subject.js';

const user: User = {
  id: 'u1',
  orgId: 'o1',
  version: 1,
  created: new Date(0),
  lastModified: new Date(0),
  userName: 'anna',
  active: true,
  name: { givenName: 'Anna', familyName: 'Lind' },
  displayName: 'Anna Lind',
  preferredLanguage: 'en',
  emails: [{ value: 'anna@example.com', primary: true }],
};

function depsOf(...names: string[]) {
  let reads = 0;
  const find = async () => ({ id: 'o1', name: names[reads++], domains: [] });
  return { caches: { organizations: { get: find } } } as unknown as SubjectDeps;
}

const person = (changes: Partial<User> = {}): Subject => ({ kind: 'person', user: { ...user, ...changes } });
const own = { scope: 'openid profile email', clientOrgId: 'o1', audience: ['client'] };

t.test('each client is told what its scope and its organization let it know', async (t) => {
  const anna = person();
  const claims = async (reader: typeof own) => JSON.parse(await claimsText(depsOf(), anna, reader));
  const first = await claims(own);
  t.match(first, { given_name: 'Anna', email: 'anna@example.com', email_verified: true });
  t.match(await claims({ ...own, clientOrgId: 'o2' }), { email_verified: false }, 'another organization');
  t.notHas(await claims({ ...own, scope: 'openid profile' }), { email: 'anna@example.com' }, 'another scope');
  t.same(await claims(own), first, 'the same again');
});

t.test('single claims are told beside those of the scope', async (t) => {
  const anna = person();
  const claims = async (scope: string, asked: string[]) =>
    JSON.parse(await claimsText(depsOf('Example'), anna, { ...own, scope, claims: asked }));
  t.same(await claims('openid', ['email']), { email: 'anna@example.com' });
  t.same(await claims('openid email', []), { email: 'anna@example.com', email_verified: true });
  t.same(await claims('openid', ['email', 'given_name']), { email: 'anna@example.com', given_name: 'Anna' });
  t.same(await claims('openid email', ['name']), {
    email: 'anna@example.com',
    email_verified: true,
    name: 'Anna Lind',
  });
  t.same(await claims('openid', ['urn:service:iam:user:resourceowner:name']), {
    'urn:service:iam:user:resourceowner:name': 'Example',
  });
  t.same(await claims('openid', ['phone_number', 'shoe_size']), {}, 'what is not known is left out');
});

t.test('a person as read again is another one', async (t) => {
  const claims = async (subject: Subject) => JSON.parse(await claimsText(depsOf(), subject, own));
  await claims(person());
  t.match(await claims(person({ displayName: 'Anna Berg' })), { name: 'Anna Berg' });
});

t.test('a changed organization is seen, whoever the person is', async (t) => {
  const deps = depsOf('Old', 'New');
  const anna = person();
  const reader = { ...own, scope: 'openid urn:service:iam:user:resourceowner' };
  t.match(await claimsText(deps, anna, reader), /"Old"/);
  t.match(await claimsText(deps, anna, reader), /"New"/);
});

t.test('roles in projects are told anew when they are other ones, and to each client its own', async (t) => {
  const anna = person();
  const organization = { id: 'o1', name: 'Acme', domains: ['acme.example'] };
  let held = { byProject: new Map([['p1', ['reader']]]), isCut: false };
  const deps = {
    caches: { organizations: { get: async () => organization } },
    projectRolesOfUsers: { of: async () => held },
  } as unknown as SubjectDeps;
  const scope = 'openid urn:service:iam:org:projects:roles';
  const claims = async (more: object = {}) =>
    JSON.parse(await claimsText(deps, anna, { ...own, scope, audience: ['p1', 'p2'], ...more }));
  const roles = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, { o1: 'acme.example' }]));
  t.same(await claims(), { 'urn:service:iam:org:project:p1:roles': roles('reader') });
  t.same(await claims({ audience: ['p2'] }), {});
  t.same(await claims({ projectId: 'p1' }), {
    'urn:service:iam:org:project:roles': roles('reader'),
    'urn:service:iam:org:project:p1:roles': roles('reader'),
  });
  held = { byProject: new Map([['p1', ['reader', 'writer']]]), isCut: false };
  t.same(await claims(), { 'urn:service:iam:org:project:p1:roles': roles('reader', 'writer') });
  t.same(await claims({ claims: ['name'] }), {
    name: 'Anna Lind',
    'urn:service:iam:org:project:p1:roles': roles('reader', 'writer'),
  });
  t.same(await claims({ scope: 'openid', claims: ['urn:service:iam:org:project:roles'], projectId: 'p1' }), {
    'urn:service:iam:org:project:roles': roles('reader', 'writer'),
  });
});

t.test('a person of very many scopes is told of all of them', async (t) => {
  const anna = person();
  for (let n = 0; n < 50; n++) {
    const scope = `openid ${n % 2 ? 'email' : 'profile'} custom-${n}`;
    t.match(await claimsText(depsOf(), anna, { ...own, scope }), n % 2 ? /"email"/ : /"name"/);
  }
});

t.test('two objects as one', async (t) => {
  t.equal(joinObjects('{"a":1}', '{"b":{"c":2}}'), '{"a":1,"b":{"c":2}}');
  t.equal(joinObjects('{}', '{"b":2}'), '{"b":2}');
  t.equal(joinObjects('{"a":1}', '{}'), '{"a":1}');
  t.equal(joinObjects('{}', '{}'), '{}');
});
