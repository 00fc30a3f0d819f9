import t from 'tap';
import { addProject } from '#src/access/projects/add-project.js';
import { changeProject } from '#src/access/projects/change-project.js';
import { requireRole } from '#src/access/projects/project-rules.js';
import { requireApplicationSettings, withDefaults } from '#src/clients/applications/application-rules.js';
import { newClientSecret } from '#src/clients/credentials/client-secret.js';
import { newFederatedCredential } from '#src/clients/credentials/federated-credential.js';
import { requireSettings } from '#src/clients/service-users/service-user-rules.js';
import {
  blankOrganization,
  changedOrganization,
  requireOrganizationId,
} from '#src/organizations/organization-rules.js';
import { withSchema } from '#src/people/extension-schemas/extension-schema-rules.js';
import { normalizeGroup } from '#src/people/groups/group-rules.js';
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

/** Names that break out of their line, hide a part, or turn the direction of writing. */
const deceptive = [
  'a\nb',
  'a\tb',
  'a\u2028b',
  'a\u2029b',
  'a\u202eb',
  'a\u200bb',
  'a\u00adb',
  'a\ufeffb',
  'a\u2066b',
];

t.test('no name of an object breaks its line, or has anything invisible', async (t) => {
  const service = {
    userName: 'robot',
    name: 'Robot',
    active: true,
    accessTokenType: 'opaque',
    ignorePasswordOnCreate: false,
  } as const;
  // Fails before it reads anything.
  const project = (name: string) => addProject({} as never, { orgId: 'o', name, editor: {} as never });
  const now = new Date();
  const current = { id: 'p', orgId: 'o', name: 'Project', version: 1, audienceOrgIds: [] };
  const renamed = (name: string) =>
    changeProject(
      {
        projects: { find: async () => current },
        mongo: { transactionOf: (_holder: string, work: (transaction: object) => unknown) => work({}) },
        clock: { now: () => now },
      } as never,
      { orgId: 'o', id: 'p', editor: {} as never },
      { name },
    );
  const named: Record<string, (name: string) => unknown> = {
    organization: (name) => changedOrganization(blankOrganization, { name }),
    application: (name) => requireApplicationSettings(withDefaults({ type: 'api', name })),
    project,
    'name of a project role': (displayName) => requireRole({ key: 'role', displayName }),
    'group of a project role': (group) => requireRole({ key: 'role', group }),
    'key of a project role': (key) => requireRole({ key, displayName: 'Role' }),
    'service user': (name) => requireSettings({ ...service, name }),
    'login name of a service user': (userName) => requireSettings({ ...service, userName }),
    group: (displayName) => normalizeGroup({ displayName }),
    'label of a secret': (label) => newClientSecret(now, { label }),
    'label of a federated credential': (label) =>
      newFederatedCredential(
        { issuer: 'https://idp.example', subject: 's', label },
        { now, thisIssuer: 'https://own.example' },
      ),
    'extension schema': (name) =>
      withSchema(
        { schemas: [], lastKey: 0 },
        { id: 'urn:example:acme', name, description: '', attributes: [] },
      ),
    'renamed project': renamed,
  };
  for (const [what, check] of Object.entries(named)) {
    for (const name of deceptive)
      t.equal(
        await errorIdOf(() => check(name)),
        'directory.valueInvalid',
        `${what} ${encodeURIComponent(name)}`,
      );
    if (!what.endsWith('project')) t.doesNotThrow(() => check('Zoë-Müller'), what);
  }
  // A name may have an @, so that its look-alikes deceive nobody there. A login name has none of them.
  for (const userName of ['bob\uff20acme', 'bob\ufe6bacme'])
    t.equal(await errorIdOf(() => requireSettings({ ...service, userName })), 'directory.valueInvalid');
});
