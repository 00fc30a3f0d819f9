import t, { type Test } from 'tap';
import type { Config } from '#src/config.js';
import { unixSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import { connectRedis, type RedisConnection } from '#src/platform/redis/redis.js';
import { createStoreBound, entryBytes, type StoreBound } from '#src/platform/redis/store-bound.js';
import { createWindowCounts } from '#src/platform/redis/window-counts.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { makeApplication, makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { type Call, serve } from '../../support/app/test-app.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { keysOf } from '../../support/stores/redis-keys.js';

const { container, clock } = await openTestContainer(t);
let opened = 0;

/** A process with its own limits, within one minute of the clock. Processes of one `instance` count together. */
async function open(
  limits: Partial<Config>,
  {
    instance = String(++opened),
    redis = container.redis,
    addressBound = container.addressBound,
  }: { instance?: string; redis?: RedisConnection; addressBound?: StoreBound } = {},
) {
  const { config } = container;
  const prefix = `${config.redisPrefix}:${instance}`;
  const rateCounts = createWindowCounts({ redis, prefix, clock });
  t.teardown(() => rateCounts.close());
  const process = { ...container, config: { ...config, ...limits }, rateCounts, addressBound };
  const { app, call } = await serve(t, process);
  const from = (remoteAddress: string) => ({
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ url, remoteAddress, headers }),
  });
  return { call, from, rateCounts };
}

t.beforeEach(() => clock.startMinute());

t.test('an address is limited whatever tokens it invents, and is told when to come back', async (t) => {
  const { from } = await open({ rateLimitPerAddress: 3 });
  const attacker = from('192.0.2.7');
  const statuses = [];
  for (let i = 0; i < 4; i++) {
    const answer = await attacker.get('/scim/v2/x/Users', { authorization: `Bearer invented-${i}` });
    statuses.push(answer.statusCode);
    t.equal(answer.headers['ratelimit-policy'], '"address";q=3;w=60');
    t.match(answer.headers['ratelimit'], new RegExp(`^"address";r=${Math.max(0, 2 - i)};t=\\d+$`));
  }
  t.same(statuses, [401, 401, 401, 429]);
  t.equal((await from('192.0.2.8').get('/scim/v2/x/Users')).statusCode, 401, 'another address is not');
  const network = ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:0:9::'];
  for (const address of network) t.equal((await from(address).get('/admin/v1/orgs')).statusCode, 401);
  t.equal((await from('2001:db8::77').get('/admin/v1/orgs')).statusCode, 429, 'an IPv6 network is one');
  clock.advance(60);
  t.equal((await attacker.get('/admin/v1/orgs')).statusCode, 401, 'the next minute begins anew');
});

t.test('an address that no router can read counts too', async (t) => {
  const { from } = await open({ rateLimitPerAddress: 3 });
  const attacker = from('192.0.2.6');
  const statuses = [];
  for (const path of ['/%', '/scim/v2/x/%ff', '/login/%zz?a=b', '/%']) {
    const answer = await attacker.get(path);
    statuses.push(answer.statusCode);
    t.ok(answer.headers['ratelimit'], path);
    t.ok(answer.headers['x-request-id'], path);
  }
  t.same(statuses, [400, 400, 400, 429]);
  t.equal((await attacker.get('/healthz')).statusCode, 200);
});

t.test('each room refuses in its own words', async (t) => {
  const { from } = await open({ rateLimitPerAddress: 1 });
  const { get } = from('192.0.2.9');
  await get('/openapi.json');
  const answers = {
    scim: await get('/scim/v2/x/Users'),
    oauth: await get('/oidc/v1/userinfo'),
    admin: await get('/admin/v1/orgs'),
    login: await get('/login'),
    authorize: await get('/oauth/v2/authorize'),
    discovery: await get('/.well-known/openid-configuration'),
  };
  for (const [room, { statusCode, headers }] of Object.entries(answers)) {
    t.equal(statusCode, 429, room);
    const seconds = Number(headers['retry-after']);
    t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `${room}: ${headers['retry-after']}`);
  }
  t.match(answers.scim.json(), { status: '429', schemas: [/Error$/] });
  t.match(answers.oauth.json(), { error: 'temporarily_unavailable' });
  t.match(answers.admin.json(), { status: 429, id: 'http.rateLimited' });
  t.match(answers.admin.headers['content-type'], /^application\/problem\+json/);
  for (const page of [answers.login, answers.authorize]) t.match(page.payload, /<h1>Too many attempts<\/h1>/);
  for (const url of ['/healthz', '/readyz']) t.equal((await get(url)).statusCode, 200, `${url} never`);
});

t.test('what ends in 401 is limited more strictly, and shuts out nothing else', async (t) => {
  const { from, call } = await open({ rateLimitRefused: 5 });
  const { get } = from('192.0.2.10');
  for (let i = 0; i < 5; i++) {
    t.equal((await get('/oidc/v1/userinfo', { authorization: `Bearer guess-${i}` })).statusCode, 401);
  }
  t.equal((await get('/oidc/v1/userinfo', { authorization: 'Bearer guess' })).statusCode, 429);
  t.equal((await get('/scim/v2/x/Users')).statusCode, 429);
  t.equal((await get('/login')).statusCode, 200);
  const tenant = await makeTenant(container);
  const good = { authorization: `Bearer ${tenant.viewer.token}` };
  t.equal((await get(`/scim/v2/${tenant.orgId}/Users`, good)).statusCode, 200, 'a good token of the address');
  t.equal((await from('192.0.2.11').get('/oidc/v1/userinfo')).statusCode, 401);

  const { id } = await makeOrganization(container);
  const client = await makeServiceClient(container, id);
  const guess = (secret: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'client_credentials', client_id: client.id, client_secret: secret },
    });
  for (let i = 0; i < 5; i++) t.equal((await guess(`guess-${i}`)).status, 401);
  t.match(await guess('guess'), { status: 429, body: { error: 'temporarily_unavailable' } });
  t.equal((await guess(client.secret)).status, 200, 'a right secret of the address');
});

/** An access token of a person of the organization. */
async function tokenOfPerson(orgId: string): Promise<string> {
  const organization = await container.caches.organizations.get(orgId);
  if (organization === undefined) throw new Error('No such organization');
  const user = await makePerson(container, organization);
  const { id: clientId } = await makeApplication(container, orgId);
  const issuedAt = clock.now().getTime() / 1000;
  const claims = {
    jti: newId(),
    sub: user.id,
    org: orgId,
    clientId,
    clientOrgId: orgId,
    username: user.userName,
    audience: [clientId],
    scope: 'openid',
    issuedAt,
    expiresAt: unixSeconds(clock.now()) + 3600,
  };
  return container.accessTokens.issue(claims, 'opaque');
}

t.test('credentials that were accepted before are served above the limit of their address', async (t) => {
  const { from, call } = await open({ rateLimitPerAddress: 8, rateLimitPerClient: 12 });
  const { get } = from('127.0.0.1');
  const { orgId, owner, viewer, manager } = await makeTenant(container);
  const users = `/scim/v2/${orgId}/Users`;
  const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
  const client = await makeApplication(container, orgId);
  const introspect = () =>
    postForm(call, '/oauth/v2/introspect', { form: { token: 'x' }, as: client.credentials });
  const statusOf = async (...request: Parameters<typeof get>) => (await get(...request)).statusCode;
  const person = { token: await tokenOfPerson(orgId) };
  for (const caller of [owner, viewer]) t.equal(await statusOf(users, as(caller)), 200);
  t.equal((await introspect()).status, 200);
  t.equal(await statusOf('/oidc/v1/userinfo', as(person)), 200);
  for (let i = 0; i < 8; i++) await get(users, { authorization: `Bearer guess-${i}` });

  t.equal(await statusOf(users, as(viewer)), 200, 'a token');
  t.equal((await introspect()).status, 200, 'a client');
  t.equal(await statusOf('/oidc/v1/userinfo', as(person)), 200, 'a person at userinfo');
  t.equal(await statusOf(users, { authorization: 'Bearer guess' }), 429);
  t.equal(await statusOf(users, as(manager)), 429, 'a token that the process would have to verify');
  t.equal(await statusOf('/login', as(viewer)), 429, 'a page reads no token');
  t.equal(await statusOf(users), 429);

  // Without one, no service user can be deactivated.
  await makeCaller(container, orgId, ['IAM_OWNER']);
  const path = `/admin/v1/orgs/${orgId}/service-users/${viewer.id}`;
  const ended = { active: false };
  t.equal((await call(`PATCH ${path}`, { as: owner, body: ended })).status, 200);
  t.equal(await statusOf(users, as(viewer)), 401, 'a token that has ended');
  t.equal(await statusOf(users, as(viewer)), 429, 'is known no longer');

  let served = 0;
  while ((await get('/openapi.json', as(owner))).statusCode === 200) served++;
  t.ok(served > 5 && served <= 12, `one token has as many requests as a client: ${served}`);
});

t.test('a client and an organization are limited wherever they come from', async (t) => {
  const { call } = await open({ rateLimitPerClient: 4, rateLimitPerOrganization: 6 });
  const tenant = await makeTenant(container);
  const users = `GET /scim/v2/${tenant.orgId}/Users`;
  for (let i = 0; i < 4; i++) t.equal((await call(users, { as: tenant.viewer })).status, 200);
  const refused = await call(users, { as: tenant.viewer });
  t.match(refused, { status: 429, body: { status: '429' } });
  t.match(refused.headers['ratelimit'], /^"client";r=0;t=\d+, "organization";r=1;t=\d+$/);
  t.equal((await call(users, { as: tenant.manager })).status, 200, 'another client of it');
  t.equal((await call(users, { as: tenant.owner })).status, 429, 'the organization');
  const knownAs = ({ token }: { token: string }) => container.provenCredentials.find(`bearer ${token}`);
  t.equal(knownAs(tenant.manager), tenant.manager.id);
  t.equal(knownAs(tenant.owner), undefined, 'what a limit refuses proves nothing');
  const other = await makeTenant(container);
  t.equal((await call(`GET /admin/v1/orgs/${other.orgId}`, { as: other.owner })).status, 200);

  const { id } = await makeOrganization(container);
  const client = await makeApplication(container, id);
  const introspect = () =>
    postForm(call, '/oauth/v2/introspect', { form: { token: 'x' }, as: client.credentials });
  for (let i = 0; i < 4; i++) t.equal((await introspect()).status, 200);
  t.match(await introspect(), { status: 429, body: { error: 'temporarily_unavailable' } });
});

t.test(
  'knowing a client_id is not enough to use up the limits of the client and its organization',
  async (t) => {
    const { call } = await open({ rateLimitPerClient: 2, rateLimitPerOrganization: 2 });
    const { id } = await makeOrganization(container);
    const as = (await makeApplication(container, id, { type: 'spa' })).credentials;
    const form = { grant_type: 'refresh_token', refresh_token: 'invented' };
    for (let i = 0; i < 4; i++) {
      const { status, body } = await postForm(call, '/oauth/v2/token', { form, as });
      t.match({ status, body }, { status: 400, body: { error: 'invalid_grant' } });
    }
    const proved = (await makeApplication(container, id)).credentials;
    const introspection = { form: { token: 'x' }, as: proved };
    t.equal((await postForm(call, '/oauth/v2/introspect', introspection)).status, 200);
  },
);

t.test('all processes count together', async (t) => {
  const limit = 20;
  const here = await open({ rateLimitPerClient: limit }, { instance: 'together' });
  const elsewhere = await open({ rateLimitPerClient: limit }, { instance: 'together' });
  const { orgId, owner } = await makeTenant(container);
  const ask = async (call: Call) => (await call(`GET /admin/v1/orgs/${orgId}`, { as: owner })).status;
  for (let i = 0; i < limit; i++) t.equal(await ask(here.call), 200);
  const { redis, config } = container;
  const sums = async () => {
    const keys = await keysOf(redis, `${config.redisPrefix}:together:count:*${owner.id}`);
    return Promise.all(keys.map((key) => redis.get(key)));
  };
  await until(async () => (await sums()).includes(String(limit)));
  t.equal(await ask(elsewhere.call), 200, 'it has not asked for the sum yet');
  await until(async () => elsewhere.rateCounts.read(`client:${owner.id}`) > limit);
  t.equal(await ask(elsewhere.call), 429);
});

/** A bound as one process sees it. */
function boundOf(t: Test, name: string, maxBytes: number) {
  const { redis, config } = container;
  const bound = createStoreBound({ redis, prefix: `${config.redisPrefix}:bound`, clock, name, maxBytes });
  t.teardown(() => bound.close());
  return bound;
}

t.test('what anybody makes Redis store is bounded for all processes, and room comes back', async (t) => {
  const [here, elsewhere] = [boundOf(t, 'shared', 1_000), boundOf(t, 'shared', 1_000)];
  const other = boundOf(t, 'other', 1_000);
  const entry = { key: 'k'.repeat(250 - entryBytes), lifeMs: 120_000 };
  for (let i = 0; i < 4; i++) {
    t.notOk(here.isFull());
    here.add(entry);
  }
  t.ok(here.isFull(), 'a process knows its own entries at once');
  elsewhere.add(entry);
  await until(async () => elsewhere.isFull());
  t.ok(elsewhere.secondsLeft() >= 120 && elsewhere.secondsLeft() <= 180, `${elsewhere.secondsLeft()} s`);
  t.notOk(other.isFull(), 'entries of another kind have a bound of their own');

  elsewhere.remove(entry);
  elsewhere.remove(entry);
  await until(async () => !here.isFull());
  for (let i = 0; i < 10; i++) here.add({ ...entry, lifeMs: 600_000 });
  clock.advance(181);
  t.ok(here.isFull(), 'entries that live longer are still there');
  clock.advance(480);
  t.notOk(here.isFull(), 'all have expired');
  here.add(entry);
  const left = () => container.redis.hgetall(`${container.config.redisPrefix}:bound:stored-bytes:shared`);
  await until(async () => Object.values(await left()).join() === '250');
});

t.test('no entry takes more memory than is counted for it', async (t) => {
  const { redis, config } = container;
  const expires = 48;
  for (const [name, value] of [
    ['login-attempts:name%3A', '7'],
    ['count:29000000:address%3A', '60000'],
  ] as const) {
    const key = `${config.redisPrefix}:${name}${'k'.repeat(43)}`;
    await redis.set(key, value, 'PX', 60_000);
    const counted = entryBytes + key.length;
    const used = Number(await redis.memory('USAGE', key)) + expires;
    t.ok(used <= counted, `${name} takes ${used} bytes, and ${counted} are counted`);
  }
});

t.test('above the bound, each process counts the addresses alone that Redis does not know', async (t) => {
  const bound = boundOf(t, 'addresses', 1);
  const entry = { key: 'k', lifeMs: 60_000 };
  const { rateCounts } = await open({}, { instance: 'full' });
  const stored = () => keysOf(container.redis, `${container.config.redisPrefix}:full:count:*`);
  bound.add(entry);
  for (let i = 0; i < 3; i++) rateCounts.add('address:192.0.2.1', bound);
  rateCounts.add('client:known');
  await until(async () => (await stored()).length === 1);
  t.match(await stored(), [/client/]);
  t.equal(rateCounts.read('address:192.0.2.1'), 3, 'it counts nevertheless');
  bound.remove(entry);
  await until(async () => (await stored()).length === 2);
  t.ok(bound.isFull(), 'and the count of the address fills it');
});

t.test('requests of new addresses, and those that end in 401, have the bound', async (t) => {
  const addressBound = boundOf(t, 'wired', 1);
  const limits = { rateLimitPerAddress: 3, rateLimitRefused: 100 };
  const { from, rateCounts } = await open(limits, { instance: 'wired', addressBound });
  const { get } = from('192.0.2.30');
  const stored = () => keysOf(container.redis, `${container.config.redisPrefix}:wired:count:*`);
  const entry = { key: 'k', lifeMs: 60_000 };
  addressBound.add(entry);
  t.equal((await get('/openapi.json')).statusCode, 200);
  t.equal((await get('/admin/v1/orgs')).statusCode, 401);
  rateCounts.add('client:last');
  await until(async () => (await stored()).length > 0, { within: 10_000 });
  t.match(await stored(), [/client/], 'above the bound Redis stores nothing for the address');
  t.equal(rateCounts.read('refused:192.0.2.30'), 1);
  t.equal((await get('/openapi.json')).statusCode, 200);
  t.equal((await get('/openapi.json')).statusCode, 429, 'and the process counts alone');

  addressBound.remove(entry);
  await until(async () => (await stored()).length === 3, { within: 10_000 });
  const [address, refused] = (await stored()).map((key) => entryBytes + key.length).sort((a, b) => b - a);
  const counted = async () => {
    const minutes = await container.redis.hgetall(`${container.config.redisPrefix}:bound:stored-bytes:wired`);
    return Object.values(minutes).reduce((sum, bytes) => sum + Number(bytes), 0);
  };
  await until(async () => (await counted()) === Number(address) + Number(refused), { within: 10_000 });
});

t.test('without Redis each process counts alone', async (t) => {
  const redis = connectRedis(container.config.redisUrl, 'failFast');
  redis.disconnect();
  const { orgId, owner } = await makeTenant(container);
  for (const _process of [1, 2]) {
    const { call } = await open({ rateLimitPerClient: 2 }, { instance: 'alone', redis });
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      statuses.push((await call(`GET /admin/v1/orgs/${orgId}`, { as: owner })).status);
    }
    t.same(statuses, [200, 200, 429]);
  }
});

t.test('a client cannot choose its address behind a balancer that appends', async (t) => {
  const statusesOf = async (trustProxy: string, sent: (i: number) => string) => {
    const { from } = await open({ rateLimitPerAddress: 2, trustProxy });
    const balancer = from('10.0.0.1');
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      const answer = await balancer.get('/admin/v1/orgs', { 'x-forwarded-for': sent(i) });
      statuses.push(answer.statusCode);
    }
    return statuses;
  };
  const invented = (i: number) => `203.0.113.${i}, 192.0.2.1`;
  const several = (i: number) => `203.0.113.9, 192.0.2.${i}`;
  for (const setting of ['1', 'true', '10.0.0.0/8']) {
    t.same(await statusesOf(setting, invented), [401, 401, 429], `${setting}: what the client wrote`);
    t.same(await statusesOf(setting, several), [401, 401, 401], `${setting}: what the balancer saw`);
  }
  const two = (i: number) => `203.0.113.${i}, 192.0.2.1, 10.0.0.2`;
  t.same(await statusesOf('2', two), [401, 401, 429], 'two balancers');
  t.same(await statusesOf('false', several), [401, 401, 429], 'none');
});
