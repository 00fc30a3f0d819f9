import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { newEvent } from '#src/audit/new-event.js';
import { changeGroupRoles } from '#src/people/groups/index.js';
import { makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  type Connected,
  isSignedIn,
  makeConnected,
  newVisitor,
  signInBy,
} from '../../support/oidc/connected.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());

const schemas = {
  user: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  group: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
};

async function signIn(connected: Connected, claims: Record<string, unknown>) {
  clock.advance(1);
  t.ok(isSignedIn(await signInBy(newVisitor(service), connected, provider, claims)), JSON.stringify(claims));
  return userOf(connected, String(claims['sub']));
}

/** The person of an identity. */
async function userOf({ orgId }: Connected, subject: string) {
  const lists = await container.identityLinks.pageOfAll(orgId, { limit: 100 });
  const list = lists.find(({ items }) => Object.values(items).some((link) => link.subject === subject));
  const user = list && (await container.users.find(orgId, list.userId));
  if (user === undefined) throw new Error(`Nobody is ${subject}`);
  return user;
}

async function addGroup({ orgId, owner }: Connected, as: { token: string } = owner): Promise<string> {
  const body = { schemas: schemas.group, displayName: uniqueName('group') };
  return String((await call(`POST /scim/v2/${orgId}/Groups`, { as, body })).body.id);
}

const change = ({ path, owner }: Connected, mapping: object) =>
  call(`PATCH ${path}`, { as: owner, body: { mapping } });

const isMember = async ({ orgId }: Connected, groupId: string, userId: string) =>
  (await container.groupMembers.existing(orgId, [{ groupId, userId }])).size === 1;

t.test(
  'claims give a new person values and groups, and later sign-ins change them if the table says so',
  async (t) => {
    const acme = await makeConnected(service, provider);
    const [staff, bosses] = [await addGroup(acme), await addGroup(acme)];
    const mapping = {
      when: 'first',
      values: [
        { to: 'displayName', from: ['nick', 'name'] },
        { to: 'department', from: [], constant: 'Sales' },
        { to: 'title', from: ['job'], lowerCase: true },
      ],
      groups: [
        { claim: 'groups', value: 'g-1', groupId: staff },
        { claim: 'groups', value: 'g-2', groupId: bosses },
      ],
    };
    t.equal((await change(acme, mapping)).status, 200);
    const anna = await signIn(acme, { sub: 'anna', name: 'Anna', job: 'BOSS', groups: ['g-1', 'g-2'] });
    t.match(anna, { displayName: 'Anna', title: 'boss', department: 'Sales' });
    t.ok((await isMember(acme, staff, anna.id)) && (await isMember(acme, bosses, anna.id)));
    const later = { sub: 'anna', nick: 'Ann', job: 'Clerk', groups: ['g-1'] };
    t.match(await signIn(acme, later), { displayName: 'Anna', title: 'boss' }, 'only the first time');
    t.ok(await isMember(acme, bosses, anna.id));
    t.equal((await change(acme, { when: 'always' })).status, 200);
    t.match(await signIn(acme, later), { displayName: 'Ann', title: 'clerk', userName: anna.userName });
    t.ok(await isMember(acme, staff, anna.id));
    t.notOk(await isMember(acme, bosses, anna.id), 'the claims do not have it any more');
    const { version } = await userOf(acme, 'anna');
    t.equal((await signIn(acme, later)).version, version, 'the same claims change nothing');
  },
);

t.test('h. a text of a provider that is too long counts as no text, so the next claim does', async (t) => {
  const acme = await makeConnected(service, provider);
  const values = [
    { to: 'displayName', from: ['nick', 'name'] },
    { to: 'roles', from: ['jobs'] },
  ];
  t.equal((await change(acme, { when: 'always', values })).status, 200);
  const longest = 'x'.repeat(500);
  const claims = { sub: 'anna', nick: `${longest}x`, name: 'Anna', jobs: [`${longest}x`, longest, 'Dev'] };
  const anna = await signIn(acme, claims);
  t.equal(anna.displayName, 'Anna');
  t.strictSame(
    anna.roles?.map(({ value }) => value),
    [longest, 'Dev'],
  );
});

t.test('a list of a claim becomes roles and entitlements, and an empty one takes them away', async (t) => {
  const acme = await makeConnected(service, provider);
  const values = [
    { to: 'roles', from: ['jobs'] },
    { to: 'entitlements', from: ['plan'], lowerCase: true },
  ];
  t.equal((await change(acme, { when: 'always', values })).status, 200);
  const claims = { sub: 'lena', jobs: ['Dev', 'Ops', 'Dev'], plan: 'GOLD' };
  const lena = await signIn(acme, claims);
  t.match(lena, { roles: [{ value: 'Dev' }, { value: 'Ops' }], entitlements: [{ value: 'gold' }] });
  t.equal((await signIn(acme, claims)).version, lena.version, 'the same claims change nothing');
  t.match(await signIn(acme, { sub: 'lena', jobs: ['Dev'] }), {
    ...{ roles: [{ value: 'Dev' }], entitlements: [{ value: 'gold' }] },
  });
  t.notOk((await signIn(acme, { sub: 'lena', jobs: [] })).roles?.length);
  const tried = await call(`POST ${acme.path}/preview`, {
    ...{ as: acme.owner, body: { claims: JSON.stringify({ ...claims, sub: 'new' }) } },
  });
  t.match(tried.body.values, { roles: 'Dev, Ops', entitlements: 'gold' });
});

t.test('a role that came by a claim ends with it, and a sign-in does not fail by it', async (t) => {
  const acme = await makeConnected(service, provider);
  const admins = await addGroup(acme);
  const byHand = await addGroup(acme);
  await changeGroupRoles(container, {
    orgId: acme.orgId,
    id: admins,
    roles: ['ORG_USER_VIEWER'],
    editor: testEditor,
  });
  const groups = [
    { claim: 'groups', value: 'admins', groupId: admins },
    { claim: 'groups', value: 'x', groupId: 'no-such-group' },
  ];
  await change(acme, { when: 'always', groups });
  const anna = await signIn(acme, { sub: 'anna', groups: ['admins', 'x'] });
  const roles = async () => (await container.caches.memberships.get(anna.id)).map(({ role }) => role);
  t.strictSame(await roles(), ['ORG_USER_VIEWER']);
  await call(`PATCH /scim/v2/${acme.orgId}/Groups/${byHand}`, {
    as: acme.owner,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', path: 'members', value: [{ value: anna.id }] }],
    },
  });
  await signIn(acme, { sub: 'anna', _claim_names: { groups: 'src1' } });
  t.strictSame(await roles(), ['ORG_USER_VIEWER'], 'left out: nothing is guessed');
  await signIn(acme, { sub: 'anna', hasgroups: true });
  t.strictSame(await roles(), ['ORG_USER_VIEWER'], 'the other way in which Entra says so');
  const [event] = await container.events.search({
    ...{
      aggregateId: anna.id,
      eventTypes: ['user.human.connection.check.succeeded'],
      limit: 1,
      ascending: false,
    },
  });
  t.match(event?.payload, { leftOut: ['groups'] });
  await signIn(acme, { sub: 'anna' });
  t.strictSame(await roles(), []);
  t.ok(await isMember(acme, byHand, anna.id), 'a group that no row names stays');
});

t.test('SCIM wins where both speak', async (t) => {
  const acme = await makeConnected(service, provider);
  const scim = await makeCaller(container, acme.orgId, ['ORG_OWNER']);
  const [theirs, ours] = [await addGroup(acme, scim), await addGroup(acme)];
  const body = {
    schemas: schemas.user,
    userName: uniqueName('scim'),
    externalId: 'oid-1',
    title: 'From SCIM',
  };
  const created = await call(`POST /scim/v2/${acme.orgId}/Users`, { as: scim, body });
  t.equal(created.status, 201, JSON.stringify(created.body));
  await call(`PATCH ${acme.path}`, {
    as: acme.owner,
    body: {
      linking: { provisionedBy: scim.id, identifierClaim: 'oid' },
      mapping: {
        when: 'always',
        values: [
          { to: 'title', from: ['job'] },
          { to: 'department', from: ['dept'] },
        ],
        groups: [
          { claim: 'groups', value: 'a', groupId: theirs },
          { claim: 'groups', value: 'a', groupId: ours },
        ],
      },
    },
  });
  const claims = { sub: 'anna', oid: 'oid-1', job: 'From claims', dept: 'IT', groups: ['a'] };
  const anna = await signIn(acme, claims);
  t.equal(anna.id, created.body.id);
  t.match(anna, { title: 'From SCIM', department: 'IT' }, 'claims fill what is empty');
  t.notOk(await isMember(acme, theirs, anna.id));
  t.ok(await isMember(acme, ours, anna.id));
  const events = Array.from({ length: 250 }, (_, at) =>
    newEvent('user.human.changed', {
      ...{ aggregate: 'user', id: anna.id, orgId: acme.orgId, editor: testEditor },
      ...{ sequence: 100 + at, date: clock.now(), payload: { attributes: ['nickName'] } },
    }),
  );
  await container.mongo.transactionOf(acme.orgId, (transaction) =>
    container.events.append(events, transaction),
  );
  const later = await signIn(acme, claims);
  t.equal(later.title, 'From SCIM', 'however often the person was changed since');
});

t.test('what a provider sends is bounded, and an address counts only if it is trusted', async (t) => {
  const acme = await makeConnected(service, provider, { mapping: { when: 'always' } });
  const first = await signIn(acme, { sub: 'evil', name: 'First', email: 'first@acme.example' });
  const now = await signIn(acme, {
    sub: 'evil',
    name: 'x'.repeat(600),
    zoneinfo: '../../etc/passwd',
    given_name: 'bad\u202Ename',
    email: 'other@acme.example',
    email_verified: true,
  });
  t.match(now, { displayName: 'First', name: {}, emails: [{ value: 'first@acme.example' }] });
  t.equal(now.timezone, first.timezone);
});

t.test('a table is checked', async (t) => {
  const acme = await makeConnected(service, provider);
  const row = { to: 'title', from: ['job'] };
  for (const mapping of [
    { when: 'sometimes' },
    { values: [row, row] },
    { values: [{ to: 'title', from: [] }] },
    { values: [{ to: 'shoeSize', from: ['x'] }] },
    { values: [{ to: 'userName', from: ['x'], constant: 'boss' }] },
    { values: [{ to: 'email', from: [], constant: 'boss@acme.example' }] },
    { values: [{ to: 'title', from: Array(6).fill('x') }] },
    { values: [{ to: 'title', from: [''] }] },
    { groups: [{ claim: '', value: 'a', groupId: 'b' }] },
    { groups: [{ claim: 'g', value: 'x'.repeat(501), groupId: 'b' }] },
    { groups: Array(101).fill({ claim: 'g', value: 'a', groupId: 'b' }) },
    { other: true },
  ])
    t.equal((await change(acme, mapping)).status, 400, JSON.stringify(mapping).slice(0, 80));
  t.equal((await change(acme, { values: [row] })).status, 200);
  t.match((await call(`GET ${acme.path}`, { as: acme.owner })).body.mapping, {
    when: 'first',
    values: [row],
    groups: [],
  });
});

t.test('a preview says what an answer would do, and writes nothing', async (t) => {
  const acme = await makeConnected(service, provider, { creation: 'create' });
  const group = await addGroup(acme);
  const preview = (body: object) => call(`POST ${acme.path}/preview`, { as: acme.owner, body });
  t.equal((await preview({})).status, 404, 'nobody signed in yet');
  const anna = await signIn(acme, { sub: 'anna', name: 'Anna', groups: ['a'] });
  const mapping = {
    values: [{ to: 'title', from: ['name'] }],
    groups: [{ claim: 'groups', value: 'a', groupId: group }],
  };
  const last = await preview({ mapping });
  t.match(last, {
    status: 200,
    body: {
      outcome: 'known',
      userId: anna.id,
      values: { title: 'Anna' },
      joins: [group],
      leaves: [],
      leftOut: [],
    },
  });
  t.match(last.body.claims, { name: 'Anna', groups: ['a'] });
  for (const claims of ['no json', '[]', '"text"', 'x'.repeat(20_001)])
    t.equal((await preview({ claims })).status, 400, claims.slice(0, 10));
  const before = await container.users.count(acme.orgId);
  t.match((await preview({ claims: '{"sub":"new"}' })).body, { outcome: 'created' });
  t.match(
    (await preview({ mapping, claims: JSON.stringify({ sub: 'new', _claim_names: { groups: 'x' } }) })).body,
    {
      ...{ joins: [], leaves: [], leftOut: ['groups'] },
    },
  );
  await call(`PATCH ${acme.path}`, {
    as: acme.owner,
    body: { linking: { byPerson: true }, creation: 'refuse' },
  });
  t.match((await preview({ claims: '{"sub":"new"}' })).body, { outcome: 'asked' });
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { linking: { byPerson: false } } });
  t.match((await preview({ claims: '{"sub":"new"}' })).body, { outcome: 'refused' });
  t.equal(await container.users.count(acme.orgId), before);
  const setActive = (value: boolean) =>
    call(`PATCH /scim/v2/${acme.orgId}/Users/${anna.id}`, {
      as: acme.owner,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value }],
      },
    });
  const ofAnna = async () => (await preview({ claims: '{"sub":"anna"}' })).body;
  await setActive(false);
  t.match(await ofAnna(), { outcome: 'refused', reason: 'inactive', userId: anna.id });
  await setActive(true);
  await addMembership(container, {
    ...{ userId: anna.id, role: 'ORG_USER_VIEWER', editor: testEditor },
    orgId: (await makeConnected(service, provider)).orgId,
  });
  t.match(await ofAnna(), { outcome: 'refused', reason: 'roleOutside', userId: anna.id });
  const viewer = await makeCaller(container, acme.orgId, ['ORG_USER_VIEWER']);
  t.equal((await call(`POST ${acme.path}/preview`, { as: viewer, body: {} })).status, 403);
  const keys = await container.redis.keys(`${container.config.redisPrefix}:connection-claims:*`);
  for (const key of keys) t.notMatch(await container.redis.get(key), 'Anna', 'sealed');
});
