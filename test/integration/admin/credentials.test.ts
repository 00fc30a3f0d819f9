import t from 'tap';
import { until } from '../../../dev/until.js';
import { type Caller, makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { buildAnotherApp, buildTestApp, type Call } from '../../support/app/test-app.js';

const testApp = await buildTestApp(t);
const { container, call, clock } = testApp;
const callElsewhere = await buildAnotherApp(t, testApp);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const serviceUsers = `/admin/v1/orgs/${acme.orgId}/service-users`;

/** A new service user that may read acme, and its address. */
async function reader() {
  const caller = await makeCaller(container, acme.orgId, ['ORG_OWNER']);
  return { ...caller, url: `${serviceUsers}/${caller.id}` };
}

/** The status of a request that a valid token of acme gets 200 for. */
async function statusOf(token: string, through: Call = call): Promise<number> {
  return (await through(`GET /admin/v1/orgs/${acme.orgId}`, { as: { token } })).status;
}

/** Asks the token endpoint for an access token. */
async function tokenFor(clientId: string, clientSecret: string) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'openid' });
  return call('POST /oauth/v2/token', {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
    body: form.toString(),
  });
}

/** A new access token of the service user. */
async function accessToken(url: string): Promise<string> {
  const { body } = await call(`POST ${url}/secrets`, { as: acme.owner });
  return (await tokenFor(body.clientId, body.clientSecret)).body.access_token;
}

t.test('a secret is shown once, gets tokens, and can be rotated with an overlap', async (t) => {
  const { url, id } = await reader();
  const first = await call(`POST ${url}/secrets`, { as: acme.owner });
  t.equal(first.status, 201);
  t.match(first.body, { id: String, clientId: id, clientSecret: /^[\w-]{43}$/, created: String });
  t.equal(first.headers['cache-control'], 'no-store');
  const second = await call(`POST ${url}/secrets`, { as: acme.owner, body: {} });

  const list = await call(`GET ${url}/secrets`, { as: acme.owner });
  t.same(
    list.body.items,
    [first, second].map(({ body: { id, created } }) => ({ id, created })),
  );
  const detail = await call(`GET ${url}`, { as: acme.owner });
  t.notMatch(JSON.stringify([list.body, detail.body]), /hash|clientSecret/);

  for (const { body } of [first, second]) {
    const answer = await tokenFor(body.clientId, body.clientSecret);
    t.equal(answer.status, 200);
    t.equal(await statusOf(answer.body.access_token), 200);
  }
  t.equal((await call(`DELETE ${url}/secrets/${first.body.id}`, { as: acme.owner })).status, 204);
  t.equal((await call(`DELETE ${url}/secrets/${first.body.id}`, { as: acme.owner })).status, 404);
  t.equal((await tokenFor(first.body.clientId, first.body.clientSecret)).status, 401);
  t.equal((await tokenFor(second.body.clientId, second.body.clientSecret)).status, 200);
  t.equal((await call(`POST ${url}/secrets`, { as: acme.owner })).status, 201);

  const { body } = await call('POST /admin/v1/events/_search', { as: acme.owner, body: { aggregateId: id } });
  const text = JSON.stringify(body);
  t.match(text, /user\.machine\.secret\.set/);
  t.match(text, /user\.machine\.secret\.removed/);
  t.notMatch(text, new RegExp(`${first.body.clientSecret}|${second.body.clientSecret}|hash`));
});

t.test('five secrets at most, however many ask at once', async (t) => {
  const { url } = await reader();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call(`POST ${url}/secrets`, { as: acme.owner })),
  );
  t.same(answers.map(({ status }) => status).sort(), [...Array(5).fill(201), 409, 409, 409]);
  t.equal((await call(`GET ${url}/secrets`, { as: acme.owner })).body.items.length, 5);
  const refused = await call(`POST ${url}/secrets`, { as: acme.owner });
  t.match(refused, { status: 409, body: { id: 'directory.secretLimit' } });
});

t.test('a hundred personal access tokens at most, however many ask at once', async (t) => {
  const { url } = await reader();
  const body = { expires: new Date(clock.now().getTime() + 3_600_000).toISOString() };
  const add = (count: number) =>
    Promise.all(Array.from({ length: count }, () => call(`POST ${url}/tokens`, { as: acme.owner, body })));
  // It has one already.
  for (let made = 0; made < 96; made += 8) await add(8);
  const last = await add(8);
  t.same(last.map(({ status }) => status).sort(), [...Array(3).fill(201), ...Array(5).fill(409)]);
  t.match(
    last.find(({ status }) => status === 409),
    { body: { id: 'directory.personalAccessTokenLimit' } },
  );
  const one = last.find(({ status }) => status === 201);
  t.equal((await call(`DELETE ${url}/tokens/${one?.body.id}`, { as: acme.owner })).status, 204);
  t.same(
    (await add(1)).map(({ status }) => status),
    [201],
    'a removed token leaves its place',
  );
  clock.advance(3_600_001);
  const after = await call(`POST ${url}/tokens`, { as: acme.owner });
  t.equal(after.status, 201, 'and so does an expired one');
});

t.test('a secret has a label, an expiry and a last use', async (t) => {
  const { url } = await reader();
  const add = (body: object) => call(`POST ${url}/secrets`, { as: acme.owner, body });
  const inAnHour = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const made = await add({ label: ' Entra ', expires: inAnHour });
  t.match(made, { status: 201, body: { label: 'Entra', expires: inAnHour } });
  const other = (await add({})).body;
  for (const wrong of [
    { expires: clock.now().toISOString() },
    { expires: 'tomorrow' },
    { label: 'a\u0000b' },
    { label: 'x'.repeat(201) },
  ]) {
    t.equal((await add(wrong)).status, 400, JSON.stringify(wrong));
  }
  const list = async () => {
    await container.secretUses.flush();
    return (await call(`GET ${url}/secrets`, { as: acme.owner })).body.items;
  };
  t.notOk('lastUsed' in (await list())[0]);
  const use = async () => (await tokenFor(made.body.clientId, made.body.clientSecret)).status;
  const before = clock.now();
  t.equal(await use(), 200);
  const { clientSecret: _secret, clientId: _id, ...shown } = made.body;
  const listed = await list();
  const { lastUsed } = listed[0];
  t.ok(new Date(lastUsed) >= before && new Date(lastUsed) <= clock.now(), lastUsed);
  t.strictSame(listed, [
    { ...shown, lastUsed },
    { id: other.id, created: other.created },
  ]);
  clock.advance(60);
  t.equal(await use(), 200);
  t.equal((await list())[0].lastUsed, lastUsed, 'one write in five minutes');
  clock.advance(600);
  t.equal(await use(), 200);
  t.ok(new Date((await list())[0].lastUsed) > new Date(lastUsed));
  clock.advance(3_000);
  t.equal(await use(), 401, 'it has expired');
  t.equal((await tokenFor(other.clientId, other.clientSecret)).status, 200);
});

t.test('a personal access token is shown once and serves until it expires', async (t) => {
  const { url, id } = await reader();
  const made = await call(`POST ${url}/tokens`, { as: acme.owner, body: { expires_in_seconds: 600 } });
  t.equal(made.status, 201);
  t.equal(made.headers['cache-control'], 'no-store');
  t.equal(Date.parse(made.body.expires) - Date.parse(made.body.created), 600_000);
  t.equal(await statusOf(made.body.token), 200);

  const list = await call(`GET ${url}/tokens`, { as: acme.owner });
  const { token: _, ...shown } = made.body;
  t.same(list.body.items.at(-1), shown);
  t.equal(list.body.items.length, 2);
  const page = await call(`GET ${url}/tokens?limit=1`, { as: acme.owner });
  t.equal(page.body.items.length, 1);
  const rest = await call(`GET ${url}/tokens?limit=1&after=${page.body.next}`, { as: acme.owner });
  t.same(rest.body, { items: [shown] });

  const { body } = await call('POST /admin/v1/events/_search', { as: acme.owner, body: { aggregateId: id } });
  t.match(body.events[0], { type: 'user.token.added', payload: { tokenId: made.body.id } });
  t.notMatch(JSON.stringify([list.body, body]), new RegExp(`${made.body.token}|hash`));

  clock.advance(601);
  t.equal(await statusOf(made.body.token), 401);
});

t.test('the life of a token is 90 days when nothing is said, and bounded', async (t) => {
  const { url } = await reader();
  const day = 24 * 3600;
  const life = ({ body }: { body: { created: string; expires: string } }) =>
    (Date.parse(body.expires) - Date.parse(body.created)) / 1000;
  t.equal(life(await call(`POST ${url}/tokens`, { as: acme.owner })), 90 * day);
  const expires = new Date(clock.now().getTime() + 3600_000).toISOString();
  t.equal((await call(`POST ${url}/tokens`, { as: acme.owner, body: { expires } })).body.expires, expires);
  const refused = [
    { expires: new Date(clock.now().getTime() - 1000).toISOString() },
    { expires: '2026-13-01' },
    { expires: 'tomorrow' },
    { expires: new Date(clock.now().getTime() + 367 * day * 1000).toISOString() },
    { expiresInSeconds: 0 },
    { expiresInSeconds: 367 * day },
    { expiresInSeconds: 1e300 },
    { expiresInSeconds: 60, expires },
  ];
  for (const body of refused) {
    t.equal((await call(`POST ${url}/tokens`, { as: acme.owner, body })).status, 400, JSON.stringify(body));
  }
});

t.test('a removed token is refused at once, in every process', async (t) => {
  const { url, token } = await reader();
  const { body } = await call(`GET ${url}/tokens`, { as: acme.owner });
  t.equal(await statusOf(token), 200);
  t.equal(await statusOf(token, callElsewhere), 200);
  const tokenUrl = `${url}/tokens/${body.items[0].id}`;
  const crossed = tokenUrl.replace(acme.orgId, other.orgId);
  t.equal((await call(`DELETE ${crossed}`, { as: other.owner })).status, 404);
  t.equal(await statusOf(token), 200);
  t.equal((await call(`DELETE ${tokenUrl}`, { as: acme.owner })).status, 204);
  t.equal(await statusOf(token), 401);
  await until(async () => (await statusOf(token, callElsewhere)) === 401);
  t.equal((await call(`DELETE ${tokenUrl}`, { as: acme.owner })).status, 404);
});

t.test('deactivating a service user ends its tokens for good, in every process', async (t) => {
  const { url, token } = await reader();
  const access = await accessToken(url);
  for (const through of [call, callElsewhere]) {
    t.equal(await statusOf(token, through), 200);
    t.equal(await statusOf(access, through), 200);
  }
  t.equal((await call(`PATCH ${url}`, { as: acme.owner, body: { active: false } })).body.active, false);
  t.equal(await statusOf(token), 401);
  t.equal(await statusOf(access), 401);
  t.equal(await statusOf(access, callElsewhere), 401);
  await until(async () => (await statusOf(token, callElsewhere)) === 401);

  clock.advance(2);
  t.equal((await call(`PATCH ${url}`, { as: acme.owner, body: { active: true } })).body.active, true);
  await until(async () => (await statusOf(token, callElsewhere)) === 200);
  t.equal(await statusOf(access), 401, 'a revoked access token stays revoked');
  t.equal(await statusOf(access, callElsewhere), 401);
  const fresh = await call(`POST ${url}/secrets`, { as: acme.owner });
  const { access_token: again } = (await tokenFor(fresh.body.clientId, fresh.body.clientSecret)).body;
  t.equal(await statusOf(again), 200);
});

t.test('a removed service user takes its secrets, tokens and roles with it', async (t) => {
  const { url, token, id } = await reader();
  const access = await accessToken(url);
  await until(async () => (await statusOf(token, callElsewhere)) === 200);
  t.equal((await call(`DELETE ${url}`, { as: acme.owner })).status, 204);
  t.equal(await statusOf(token), 401);
  t.equal(await statusOf(access), 401);
  t.equal(await statusOf(access, callElsewhere), 401);
  await until(async () => (await statusOf(token, callElsewhere)) === 401);
  const { body: members } = await call(`GET /admin/v1/orgs/${acme.orgId}/memberships?limit=100`, {
    as: acme.owner,
  });
  t.notOk(members.items.some(({ userId }: { userId: string }) => userId === id));
  const { body } = await call('POST /admin/v1/events/_search', { as: acme.owner, body: { limit: 4 } });
  const types = body.events.map(({ type }: { type: string }) => type);
  t.same(types, ['member.removed', 'user.removed', 'user.token.removed', 'user.machine.secret.set']);
});

t.test('no credential is given to a service user while it is removed', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { url } = await reader();
    const [given, removed] = await Promise.all([
      call(`POST ${url}/tokens`, { as: acme.owner }),
      call(`DELETE ${url}`, { as: acme.owner }),
    ]);
    t.equal(removed.status, 204);
    if (given.status === 201) t.equal(await statusOf(given.body.token), 401);
    else t.equal(given.status, 404);
  }
  const left = await container.mongo.collection('personalAccessTokens').distinct('userId');
  for (const userId of left) t.ok(await container.serviceUsers.findById(userId), 'every token has its owner');
});

t.test('the last active owner of the instance stays', async (t) => {
  const ownUrl = `/admin/v1/orgs/${home.id}/service-users/${instanceOwner.id}`;
  const attempts = [
    () => call(`DELETE ${ownUrl}`, { as: instanceOwner }),
    () => call(`PATCH ${ownUrl}`, { as: instanceOwner, body: { active: false } }),
    async () => {
      const { body } = await call('GET /admin/v1/memberships', { as: instanceOwner });
      return call(`DELETE /admin/v1/memberships/${body.items[0].id}`, { as: instanceOwner });
    },
  ];
  for (const attempt of attempts) {
    const { status, body } = await attempt();
    t.match({ status, id: body.id }, { status: 409, id: 'directory.lastOwner' });
    t.equal((await call('GET /admin/v1/memberships', { as: instanceOwner })).status, 200);
  }
  // An owner that is not active does not count.
  const second = await makeCaller(container, home.id, ['IAM_OWNER']);
  const secondUrl = `/admin/v1/orgs/${home.id}/service-users/${second.id}`;
  t.equal((await call(`PATCH ${secondUrl}`, { as: instanceOwner, body: { active: false } })).status, 200);
  t.equal((await call(`DELETE ${ownUrl}`, { as: instanceOwner })).status, 409);
});

t.test('of two owners that remove each other at once one remains', async (t) => {
  const { container, call } = await buildTestApp(t);
  const { id: orgId } = await makeOrganization(container);
  const urlOf = ({ id }: Caller) => `/admin/v1/orgs/${orgId}/service-users/${id}`;
  let one = await makeCaller(container, orgId, ['IAM_OWNER']);
  for (let round = 0; round < 5; round++) {
    const two = await makeCaller(container, orgId, ['IAM_OWNER']);
    await Promise.all([
      call(`DELETE ${urlOf(two)}`, { as: one }),
      call(`PATCH ${urlOf(one)}`, { as: two, body: { active: false } }),
    ]);
    const able: Caller[] = [];
    for (const owner of [one, two]) {
      if ((await call('GET /admin/v1/memberships', { as: owner })).status === 200) able.push(owner);
    }
    const [survivor] = able;
    t.equal(able.length, 1, `round ${round}`);
    if (survivor === undefined) return;
    one = survivor;
  }
});
