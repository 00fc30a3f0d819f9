import t, { type Test } from 'tap';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { makeApplication, makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** Nothing costly is done for a request that is refused, and key pairs hold up nobody else. */

const { container, call } = await buildTestApp(t);
await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const pathOf = ({ id, orgId }: { id: string; orgId: string }) =>
  `/admin/v1/orgs/${orgId}/service-users/${id}/keys`;

/** Counts the key pairs that the process makes during a test. */
function countPairs(t: Pick<Test, 'teardown'>): () => number {
  const { subtle } = globalThis.crypto;
  const makePair = subtle.generateKey;
  let count = 0;
  Object.defineProperty(subtle, 'generateKey', {
    configurable: true,
    value(...request: Parameters<typeof makePair>) {
      count++;
      return makePair.apply(subtle, request);
    },
  });
  t.teardown(() => Reflect.deleteProperty(subtle, 'generateKey'));
  return () => count;
}

/** Counts the password hashes that the process is asked for during a test. */
function countHashes(t: Pick<Test, 'teardown'>): () => number {
  const { passwords } = container;
  const { hash } = passwords;
  let count = 0;
  passwords.hash = (...request) => {
    count++;
    return hash(...request);
  };
  t.teardown(() => {
    passwords.hash = hash;
  });
  return () => count;
}

t.test('an eleventh key is refused before a pair is made', async (t) => {
  const application = await makeApplication(container, acme.orgId);
  const keysOf = {
    'service user': pathOf(acme.viewer),
    application: `/admin/v1/orgs/${acme.orgId}/applications/${application.id}/keys`,
  };
  const pairs = countPairs(t);
  for (const [kind, path] of Object.entries(keysOf)) {
    const add = (body: unknown) => call(`POST ${path}`, { as: acme.owner, body });
    for (let number = 1; number <= 10; number++) t.equal((await add({ algorithm: 'EdDSA' })).status, 201);
    const before = pairs();
    for (const body of [{}, { algorithm: 'RS256' }, { algorithm: 'ES256' }]) {
      t.match(await add(body), { status: 409, body: { id: 'directory.keyLimit' } }, kind);
    }
    t.equal(pairs(), before, kind);
  }
});

t.test('of simultaneous requests for the last key, one makes a pair', async (t) => {
  const path = pathOf(await makeCaller(container, acme.orgId));
  const add = (body: unknown) => call(`POST ${path}`, { as: acme.owner, body });
  for (let number = 1; number <= 9; number++) t.equal((await add({ algorithm: 'EdDSA' })).status, 201);
  const pairs = countPairs(t);
  const answers = await Promise.all(Array.from({ length: 5 }, () => add({ algorithm: 'ES256' })));
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  t.equal(pairs(), 1);
});

t.test('who may not add a key, or names no service user, makes no pair', async (t) => {
  const pairs = countPairs(t);
  const gone = pathOf({ id: 'nobody', orgId: acme.orgId });
  const wanted = [
    [gone, acme.owner, 404],
    [pathOf(acme.viewer), acme.viewer, 403],
    [pathOf(acme.viewer), other.owner, 404],
    [pathOf({ id: acme.viewer.id, orgId: other.orgId }), other.owner, 404],
  ] as const;
  for (const [path, as, status] of wanted) {
    t.equal((await call(`POST ${path}`, { as, body: {} })).status, status, path);
  }
  t.equal(pairs(), 0);
});

t.test('passwords are hashed and tokens signed while key pairs wait', async (t) => {
  const client = await makeServiceClient(container, other.orgId);
  const serviceUser = `/admin/v1/orgs/${other.orgId}/service-users/${client.id}`;
  const asJwt = await call(`PATCH ${serviceUser}`, { as: other.owner, body: { accessTokenType: 'jwt' } });
  t.equal(asJwt.status, 200);
  const token = () =>
    postForm(call, '/oauth/v2/token', { form: { grant_type: 'client_credentials' }, as: client.credentials });
  t.equal((await token()).status, 200);
  const ended: string[] = [];
  const end = async (name: string, work: Promise<unknown>) => {
    await work;
    ended.push(name);
  };
  const callers = await Promise.all(Array.from({ length: 4 }, () => makeCaller(container, acme.orgId)));
  const made = callers.map((caller) =>
    end('pair', call(`POST ${pathOf(caller)}`, { as: acme.owner, body: {} })),
  );
  // The requests have reached the threads.
  await call(`GET ${pathOf(acme.viewer)}`, { as: acme.owner });
  const others = [
    end('hash', container.passwords.hash('Correct-Horse-7', { purpose: 'other', orgId: other.orgId })),
    end('sign-in', container.passwords.hash('Correct-Horse-7', { purpose: 'sign-in', orgId: other.orgId })),
    end('token', token()),
  ];
  await Promise.all([...others, ...made]);
  t.same(ended.slice(0, 3).sort(), ['hash', 'sign-in', 'token']);
});

t.test('a user whose name is taken, or whose version is old, costs no hash', async (t) => {
  const organization = await container.organizations.find(acme.orgId);
  if (organization === undefined) throw new Error('The organization is gone');
  const { userName, id } = await makePerson(container, organization);
  const hashes = countHashes(t);
  const scim = `/scim/v2/${acme.orgId}/Users`;
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: userName.toUpperCase(),
    name: { givenName: 'Barbara', familyName: 'Jensen' },
    emails: [{ value: 'barbara@example.com', primary: true }],
    password: 'Correct-Horse-8',
  };
  const created = await call(`POST ${scim}`, { as: acme.owner, body: user });
  t.match(created, { status: 409, body: { scimType: 'uniqueness' } });
  const change = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'password', value: 'Correct-Horse-9' }],
  };
  const patch = (headers: Record<string, string>) =>
    call(`PATCH ${scim}/${id}`, { as: acme.owner, body: change, headers });
  t.equal((await patch({ 'if-match': 'W/"77"' })).status, 412);
  t.equal(hashes(), 0);
  t.ok([200, 204].includes((await patch({})).status));
  t.equal(hashes(), 1);
  const { token } = acme.viewer;
  t.equal((await call(`PATCH ${scim}/${id}`, { as: { token }, body: change })).status, 403);
  t.equal(hashes(), 1);
});
