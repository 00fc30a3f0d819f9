import { AsyncLocalStorage } from 'node:async_hooks';
import t, { type Test } from 'tap';
import type { ThreadWork } from '#src/keys/thread-pool.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** Nothing costly is done for a request that is refused, and key pairs hold up nobody else. */

const { container, call } = await buildTestApp(t);
await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const pathOf = ({ id, orgId }: { id: string; orgId: string }) =>
  `/admin/v1/orgs/${orgId}/service-users/${id}/keys`;

/** The kind of work for which something is done in the threads. */
const kindOfWork = new AsyncLocalStorage<ThreadWork>();
const { run } = container.threads;
container.threads.run = (kind, holder, work) => run(kind, holder, () => kindOfWork.run(kind, work));

/**
 * Counts the key pairs that the process makes for clients during a test. `most`: the most that it made at the same time.
 * Spare pairs for signing keys are made ten seconds after the start, also of an application that an earlier test opened in this process. They
 * are not counted.
 */
function countPairs(t: Pick<Test, 'teardown'>): { begun: number; most: number } {
  const { subtle } = globalThis.crypto;
  const makePair = subtle.generateKey;
  const counts = { begun: 0, most: 0 };
  let running = 0;
  Object.defineProperty(subtle, 'generateKey', {
    configurable: true,
    async value(...request: Parameters<typeof makePair>) {
      const kind = kindOfWork.getStore();
      if (kind === undefined || kind === 'signing key') return makePair.apply(subtle, request);
      counts.begun++;
      counts.most = Math.max(counts.most, ++running);
      try {
        return await makePair.apply(subtle, request);
      } finally {
        running--;
      }
    },
  });
  t.teardown(() => Reflect.deleteProperty(subtle, 'generateKey'));
  return counts;
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
    const before = pairs.begun;
    for (const body of [{}, { algorithm: 'RS256' }, { algorithm: 'ES256' }]) {
      t.match(await add(body), { status: 409, body: { id: 'directory.keyLimit' } }, kind);
    }
    t.equal(pairs.begun, before, kind);
  }
});

t.test('of simultaneous requests for the last key, one makes a pair', async (t) => {
  const path = pathOf(await makeCaller(container, acme.orgId));
  const add = (body: unknown) => call(`POST ${path}`, { as: acme.owner, body });
  for (let number = 1; number <= 9; number++) t.equal((await add({ algorithm: 'EdDSA' })).status, 201);
  const pairs = countPairs(t);
  const answers = await Promise.all(Array.from({ length: 5 }, () => add({ algorithm: 'ES256' })));
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  t.equal(pairs.begun, 1);
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
  t.equal(pairs.begun, 0);
});

t.test('organizations take turns for key pairs, which are made one at a time', async (t) => {
  const pairs = countPairs(t);
  const ended: string[] = [];
  const make = async (name: string, { orgId, owner }: typeof acme) => {
    const path = pathOf(await makeCaller(container, orgId));
    return async () => {
      const { status, body } = await call(`POST ${path}`, { as: owner, body: {} });
      t.match({ status, body }, { status: 201, body: { privateJwk: { alg: 'RS256', d: String } } });
      ended.push(name);
    };
  };
  const crowd = await Promise.all(Array.from({ length: 4 }, () => make('acme', acme)));
  const alone = await make('other', other);
  const made = crowd.map((request) => request());
  await until(() => pairs.begun > 0);
  made.push(alone());
  await Promise.all(made);
  t.equal(pairs.most, 1);
  t.ok(ended.indexOf('other') <= 2, ended.join());
});

t.test('a crowd that wants key pairs is refused in part, and told when to come again', async (t) => {
  const path = pathOf(await makeCaller(container, acme.orgId));
  const { threads } = container;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let hasBegun = false;
  const hold = () =>
    threads.run('key pair', acme.orgId, () => {
      hasBegun = true;
      return ended;
    });
  const held = [hold()];
  await until(() => hasBegun);
  for (let waiting = 1; waiting <= 10; waiting++) held.push(hold());
  const { status, headers, body } = await call(`POST ${path}`, { as: acme.owner, body: {} });
  t.match({ status, body }, { status: 429, body: { id: 'keys.keyPairsSaturated' } });
  t.equal(headers['retry-after'], '5');
  const short = await call(`POST ${path}`, { as: acme.owner, body: { algorithm: 'ES256' } });
  t.equal(short.status, 201, 'a pair on a curve costs little');
  end();
  await Promise.all(held);
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

t.test('a user is deactivated while its new password waits for its hash', async (t) => {
  const organization = await container.organizations.find(acme.orgId);
  if (organization === undefined) throw new Error('The organization is gone');
  const { id } = await makePerson(container, organization);
  const { passwords } = container;
  const { hash } = passwords;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let asked = false;
  passwords.hash = async (...request) => {
    asked = true;
    await begun;
    return hash(...request);
  };
  t.teardown(() => {
    passwords.hash = hash;
  });
  const patch = (path: string, value: unknown) =>
    call(`PATCH /scim/v2/${acme.orgId}/Users/${id}`, {
      as: acme.owner,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path, value }],
      },
    });
  const changed = patch('password', 'Correct-Horse-9');
  await until(() => asked);
  t.equal((await patch('active', false)).status, 204);
  begin();
  t.equal((await changed).status, 204);
  const { body } = await call(`GET /scim/v2/${acme.orgId}/Users/${id}`, { as: acme.owner });
  t.equal(body.active, false, 'the password is set in the deactivated user');
});

t.test('a service user is deactivated while its key pair waits', async (t) => {
  const { id } = await makeCaller(container, acme.orgId);
  const { threads } = container;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let hasBegun = false;
  const held = threads.run('key pair', other.orgId, () => {
    hasBegun = true;
    return ended;
  });
  await until(() => hasBegun);
  const added = call(`POST ${pathOf({ id, orgId: acme.orgId })}`, { as: acme.owner, body: {} });
  await until(() => threads.waiting('key pair', acme.orgId) === 1);
  const change = { as: acme.owner, body: { active: false } };
  t.equal((await call(`PATCH /admin/v1/orgs/${acme.orgId}/service-users/${id}`, change)).status, 200);
  end();
  await held;
  t.equal((await added).status, 201);
});
