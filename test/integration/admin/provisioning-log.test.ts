import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { newUser, patchOp } from '../../support/scim/scim-client.js';

const { container, call } = await buildTestApp(t);
const acme = await makeTenant(container);
const foe = await makeTenant(container);
const scim = `/scim/v2/${acme.orgId}`;
const address = `/admin/v1/orgs/${acme.orgId}/provisioning-log`;
const as = acme.owner;

async function entries(query = '') {
  await container.provisioningLog.flush();
  const answer = await call(`GET ${address}${query}`, { as });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.items;
}

t.test('it says what a client sent and what it got, and no value', async (t) => {
  const sender = {
    as: acme.manager,
    headers: { 'user-agent': 'Azure/1.0', 'content-type': 'application/scim+json' },
  };
  const secret = 'Very-secret-1';
  const body = newUser({ userName: 'hidden.person@acme.example', password: secret });
  const made = await call(`POST ${scim}/Users`, { ...sender, body });
  t.equal(made.status, 201);
  t.equal((await call(`POST ${scim}/Users`, { ...sender, body })).status, 409);
  const filter = encodeURIComponent('userName eq "hidden.person@acme.example"');
  t.equal((await call(`GET ${scim}/Users?filter=${filter}&startIndex=1`, sender)).status, 200);
  t.equal((await call(`GET ${scim}/Users/hidden.person@acme.example`, sender)).status, 404);
  const wrong = patchOp({ op: 'replace', path: 'nope', value: 'hidden' });
  const patched = await call(`PATCH ${scim}/Users/${made.body.id}`, { ...sender, body: wrong });
  const found = await entries();
  t.match(found, [
    { method: 'PATCH', path: `/Users/${made.body.id}`, status: patched.status },
    {
      method: 'GET',
      path: '/Users/…',
      status: 404,
      kind: 'failure',
      errorId: 'directory.userNotFound',
      errorMessage: 'User not found',
      serviceUserId: acme.manager.id,
      userAgent: 'Azure/1.0',
    },
    { method: 'GET', path: '/Users', query: 'filter(userName)&startIndex', status: 200, kind: 'success' },
    { method: 'POST', path: '/Users', status: 409, kind: 'failure' },
    { method: 'POST', path: '/Users', status: 201, kind: 'success' },
  ]);
  for (const { time, duration } of found) t.ok(Date.parse(time) > 0 && duration >= 0);
  const everything = JSON.stringify(await container.mongo.db.collection('provisioningLog').find().toArray());
  t.notMatch(everything, /hidden|Very-secret|Bearer/);
  t.notMatch(everything, acme.manager.token);
});

t.test('it is filtered by kind, status and service user, and continued', async (t) => {
  t.same(
    (await entries('?kind=success')).map((one: { status: number }) => one.status),
    [200, 201],
  );
  t.same((await entries('?status=409')).length, 1);
  t.same((await entries(`?service_user_id=${acme.owner.id}`)).length, 0);
  const first = (await call(`GET ${address}?limit=2`, { as })).body;
  const second = (await call(`GET ${address}?limit=10&after=${first.next}`, { as })).body;
  t.equal(first.items.length + second.items.length, 5);
  t.ok(second.items[0].id < first.items[1].id);
  t.equal((await call(`GET ${address}?kind=nothing`, { as })).status, 400);
});

t.test('a wrong token and a wrong address are in it, without a caller', async (t) => {
  t.equal((await call(`GET ${scim}/Users`, { as: { token: 'wrong' } })).status, 401);
  t.equal((await call(`GET ${scim}/Userz`, { as: acme.manager })).status, 404);
  t.match(await entries('?kind=refused'), [
    { path: '/Userz', status: 404 },
    { path: '/Users', status: 401, errorId: 'tokens.tokenInvalid' },
  ]);
});

t.test('a caller of another organization is none of its clients, and reads nothing', async (t) => {
  const before = (await entries()).length;
  t.equal((await call(`GET ${scim}/Users`, { as: foe.manager })).status, 404);
  t.equal((await entries()).length, before);
  t.equal((await call(`GET ${address}`, { as: foe.owner })).status, 404);
  const own = await call(`GET /admin/v1/orgs/${foe.orgId}/provisioning-log`, { as: foe.owner });
  t.same(own.body.items, []);
});

t.test('an organization has a bounded number of entries of each kind', async (t) => {
  const { provisioningLogStore } = container;
  const entry = (index: number) => ({
    id: `0000-${String(index).padStart(5, '0')}`,
    orgId: 'ring',
    at: new Date(),
    kind: 'refused' as const,
    method: 'GET',
    path: '/Users',
    status: 401,
    duration: 1,
  });
  const all = Array.from({ length: 1_200 }, (_, index) => entry(index));
  for (let i = 0; i < all.length; i += 300) await provisioningLogStore.add(all.slice(i, i + 300), 60_000);
  const kept = await provisioningLogStore.page('ring', { limit: 2_000 });
  t.equal(kept.length, 500);
  t.equal(kept[0]?.id, '0000-01199');
  t.equal(kept.at(-1)?.id, '0000-00700');
  await provisioningLogStore.add(all, 60_000);
  t.equal((await provisioningLogStore.page('ring', { limit: 2_000 })).length, 500, 'of one batch too');
});

t.test('with 0 days nothing is kept', async (t) => {
  const quiet = await buildTestApp(t, { provisioningLogDays: 0 });
  const tenant = await makeTenant(quiet.container);
  await quiet.call(`GET /scim/v2/${tenant.orgId}/Users`, { as: tenant.manager });
  await quiet.container.provisioningLog.flush();
  const answer = await quiet.call(`GET /admin/v1/orgs/${tenant.orgId}/provisioning-log`, {
    as: tenant.owner,
  });
  t.same(answer.body.items, []);
});
