import t from 'tap';
import {
  blankOrganization,
  changedOrganization,
  requireOrganizationId,
} from '#src/directory/organizations/organization-rules.js';
import { errorIdOf } from '../../support/thrown.js';

t.test('identifiers are safe in addresses and keys', async (t) => {
  for (const id of ['1', 'org_Abc', '69629023906488334', '01a1-b', 'a.b~c', 'x'.repeat(100)]) {
    t.equal(requireOrganizationId(id), id);
  }
  for (const id of [
    '',
    '.',
    '..',
    '_a',
    '-a',
    'a/b',
    'a b',
    'a%2f',
    '*',
    'ä',
    'a\n',
    'a:b',
    '{a}',
    'x'.repeat(101),
  ]) {
    t.equal(await errorIdOf(() => requireOrganizationId(id)), 'directory.valueInvalid', JSON.stringify(id));
  }
});

t.test('a change leaves alone what it does not name', async (t) => {
  const first = changedOrganization(blankOrganization, {
    name: 'Acme',
    domains: ['B.example', 'a.example', 'b.EXAMPLE'],
  });
  t.same(first.domains, ['b.example', 'a.example'], 'in lower case, each once, in the order given');
  t.same(changedOrganization(first, {}), first);
  const policy = changedOrganization(first, { passwordPolicy: { minLength: 16 } });
  t.same(policy, { ...first, passwordPolicy: { ...first.passwordPolicy, minLength: 16 } });
  t.same(changedOrganization(first, { domains: [] }).domains, []);
});

t.test('a brand is a logo, an icon and a colour, each of which may go', async (t) => {
  const login = {
    logoUrl: 'https://logo.example/x.png',
    faviconUrl: 'https://logo.example/x.ico',
    brandColor: '#0A6B4F',
  };
  const first = changedOrganization(blankOrganization, { name: 'Acme', login });
  t.same(first.login, { selfRegistration: false, ...login, brandColor: '#0a6b4f' });
  t.same(changedOrganization(first, { login: { selfRegistration: true } }).login, {
    ...first.login,
    selfRegistration: true,
  });
  for (const name of ['logoUrl', 'faviconUrl', 'brandColor'] as const) {
    const { [name]: _gone, ...rest } = first.login;
    t.same(changedOrganization(first, { login: { [name]: '' } }).login, rest, name);
  }
});

t.test('what cannot be is refused', async (t) => {
  const current = changedOrganization(blankOrganization, { name: 'Acme' });
  const changes = [
    { name: '' },
    { name: ' ' },
    { name: 'a\u001bb' },
    { domains: ['no dots'] },
    { domains: ['a..b'] },
    { domains: ['-a.example'] },
    { domains: [`${'a'.repeat(64)}.example`] },
    { domains: ['a.example/x'] },
    { domains: ['*.example'] },
    { domains: Array.from({ length: 101 }, (_, i) => `a${i}.example`) },
    { passwordPolicy: { minLength: 7 } },
    { passwordPolicy: { minLength: 201 } },
    { passwordPolicy: { minLength: Number.NaN } },
    { login: { brandColor: 'green' } },
    { login: { brandColor: '#fff' } },
    { login: { brandColor: '#0a6b4f;}' } },
    { login: { faviconUrl: 'http://logo.example/x.ico' } },
  ];
  for (const change of changes) {
    const id = await errorIdOf(() => changedOrganization(current, change));
    t.match(id, /^directory\.value/, JSON.stringify(change).slice(0, 60));
  }
});
