import { createLocalJWKSet, jwtVerify } from 'jose';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { fakeClocks } from '../../dev/stage/fake-clock.js';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { type Api, openStage, type Running, type Stage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { signInForCode } from '../support/oidc/sign-in-for-code.js';
import {
  bulkOf,
  expectAppliedOnce,
  namesByStatus,
  newUser,
  sendBulk,
  usersAndEvents,
} from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';
const redirectUri = 'https://shop.example/callback';
const accessSeconds = 600;
const idleSeconds = 7_200;
const day = 24 * 3_600;
/**
 * All clocks begin so many seconds ahead. A token from before its organization is refused, and the organization of the test is
 * seconds old.
 */
const headStart = 60;

const clocks = await fakeClocks(t);
const skip = 'missing' in clocks && clocks.missing;

t.test('the clocks of processes jump', { timeout: 290_000, skip }, async (t) => {
  if ('missing' in clocks) return;
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const stage = await openStage(t, {
    settings: {
      MUSTER_BASE_URL: baseUrl,
      MUSTER_ACCESS_TOKEN_SECONDS: String(accessSeconds),
      MUSTER_REFRESH_TOKEN_IDLE_SECONDS: String(idleSeconds),
    },
  });
  if (stage === undefined) return;
  stage.keepSecret(password);
  /** A clock that is set relative to the head start. */
  const makeClock = async (name: string) => {
    const { settings, set } = await clocks.make(name);
    await set(headStart);
    return { settings, set: (seconds: number) => set(headStart + seconds) };
  };
  const [clock, besideClock, workerClock] = [
    await makeClock('api'),
    await makeClock('beside'),
    await makeClock('worker'),
  ];
  const api = await stage.startApi({ PORT: port, ...clock.settings });
  const beside = await stage.startApi(besideClock.settings);
  const worker = await stage.startWorker(workerClock.settings);
  const person = await api.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser('anna', password) });
  t.equal(person.status, 201);
  const application = await makeApplication(stage, api);
  const signIn = () => signInAt(baseUrl, api, application);
  const refresh = (at: Api, token: string) => {
    const form = { grant_type: 'refresh_token', refresh_token: token };
    return at.call('POST /oauth/v2/token', { form, headers: basic(application) });
  };
  const isActive = async (at: Api, token: string) =>
    (await at.call('POST /oauth/v2/introspect', { form: { token }, headers: basic(application) })).body
      .active;
  const userinfo = async (at: Api, token: string) =>
    (await at.call('GET /oidc/v1/userinfo', { token })).status;
  const list = async (at: Api, token: string) =>
    (await at.call(`GET /scim/v2/${stage.orgId}/Users?count=1`, { token })).status;

  await t.test('ahead: access tokens end, refresh tokens at their own time', async (t) => {
    const first = await signIn();
    const program = await accessTokenOf(stage, api, await makeServiceUser(stage, api, 'ORG_USER_VIEWER'));
    t.same(
      [await isActive(api, first.access_token), await userinfo(api, first.access_token)],
      [true, 200],
      'before',
    );
    t.equal(await list(api, program), 200);

    await clock.set(accessSeconds + 1);
    t.same([await isActive(api, first.access_token), await userinfo(api, first.access_token)], [false, 401]);
    t.equal(await list(api, program), 401);
    t.equal(await userinfo(beside, first.access_token), 200, 'elsewhere it has not ended');
    const second = await refresh(api, first.refresh_token);
    t.equal(second.status, 200);
    for (const at of [api, beside]) {
      t.equal(await userinfo(at, second.body.access_token), 200, 'a token that begins later is taken');
    }
    const bulk = await sendBulk(stage, api, bulkOf('ahead', 3));
    t.equal(namesByStatus(bulk)[201]?.length, 3);

    await clock.set(accessSeconds + idleSeconds + 60);
    t.match(await refresh(api, second.body.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
    await clock.set(0);
    t.equal((await refresh(api, second.body.refresh_token)).status, 200, 'it is not used up');
  });

  await t.test('back: what was issued ahead holds, and keys go on', async (t) => {
    await clock.set(3_600);
    const rotated = await api.call('POST /admin/v1/signing-keys/_rotate', { json: { force: true } });
    t.equal(rotated.status, 200);
    const kids = (at: Api) => keysOf(at).then((keys) => keys.map(({ kid }) => kid).sort());
    // Keys of an algorithm that nobody uses are not published.
    const isPublished = ({ published }: { published?: string }) => published !== undefined;
    const wanted = rotated.body.items
      .filter(isPublished)
      .map(({ kid }: { kid: string }) => kid)
      .sort();
    await until(async () => String(await kids(beside)) === String(wanted));
    const ahead = await signIn();

    for (const seconds of [0, -20, -3_600]) {
      await clock.set(seconds);
      t.equal((await api.call('GET /readyz')).status, 200);
      t.same([await isActive(api, ahead.access_token), await userinfo(api, ahead.access_token)], [true, 200]);
      t.equal(await userinfo(beside, ahead.access_token), 200);
      const now = await signIn();
      t.equal(await userinfo(beside, now.access_token), seconds < -accessSeconds ? 401 : 200);
      for (const at of [api, beside]) {
        t.same(await kids(at), wanted, 'the same keys are published');
        for (const { id_token } of [ahead, now]) await verify(at, id_token, application.clientId);
      }
    }
    await clock.set(0);
    t.equal((await refresh(api, ahead.refresh_token)).status, 200);
  });

  await t.test('a worker: ahead it begins no Bulk, back or right again it does', async (t) => {
    await workerClock.set(day);
    const bulk = bulkOf('worker-ahead', 3);
    const prevented = await sendBulk(stage, api, bulk);
    t.equal(namesByStatus(prevented)[503]?.length, 3, 'by its clock their time is over');
    t.same(await usersAndEvents(stage, api, 'worker-ahead'), [], 'none is applied');
    await workerClock.set(-3_600);
    const behind = await sendBulk(stage, api, bulkOf('worker-behind', 3));
    t.equal(namesByStatus(behind)[201]?.length, 3);
    await workerClock.set(0);
    const { 201: applied = [] } = namesByStatus(await sendBulk(stage, api, bulk));
    t.equal(applied.length, 3, 'they are applied when they are sent again');
    await expectAppliedOnce(t, { stage, api, word: 'worker-ahead', names: applied });
  });

  await t.test('two API processes are 30 seconds apart', async (t) => {
    for (const seconds of [30, -30]) {
      await clock.set(seconds);
      const client = await makeServiceUser(stage, api, 'ORG_USER_VIEWER');
      for (const [here, there] of [
        [api, beside],
        [beside, api],
      ] as const) {
        const token = await accessTokenOf(stage, here, client);
        t.equal(await list(there, token), 200, 'a token of one is taken by the other');
        const form = { client_id: client.clientId, client_secret: client.clientSecret, token };
        t.equal((await there.call('POST /oauth/v2/revoke', { form })).status, 200);
        t.same([await list(here, token), await list(there, token)], [401, 401], 'revoked for both');

        const { refresh_token } = await signIn();
        const next = await refresh(there, refresh_token);
        t.equal(next.status, 200);
        t.equal((await refresh(here, next.body.refresh_token)).status, 200, 'they take turns');
        const bulk = await sendBulk(stage, here, bulkOf(`apart-${seconds}-${here === api}`, 2));
        t.equal(namesByStatus(bulk)[201]?.length, 2);
      }
      const { id, pat } = client;
      const token = await accessTokenOf(stage, api, client);
      const change = `PATCH /admin/v1/orgs/${stage.orgId}/service-users/${id}`;
      t.equal((await beside.call(change, { json: { active: false } })).status, 200);
      t.same([await list(api, token), await list(api, pat), await list(beside, token)], [401, 401, 401]);
    }
    await clock.set(0);
  });

  for (const [name, process] of Object.entries({ api, beside, worker })) {
    t.same(faults(process), [], `${name}: no fault in the log`);
    process.signal('SIGTERM');
    t.equal(await process.exitCode, 0, `${name}: runs to its end`);
  }
});

/** Lines of the log that tell of a fault of the service. */
function faults(process: Running): string[] {
  return process
    .log()
    .split('\n')
    .filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
}

interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
}

function basic({ clientId, clientSecret }: Application): Record<string, string> {
  return { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
}

async function makeApplication(stage: Stage, api: Api): Promise<Application> {
  const { status, body } = await api.call(`POST /admin/v1/orgs/${stage.orgId}/applications`, {
    json: {
      name: 'Shop',
      type: 'web',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token'],
    },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  stage.keepSecret(body.clientSecret);
  return body;
}

/** Anna signs in with a new browser. @returns the response of the token endpoint */
async function signInAt(baseUrl: string, api: Api, application: Application) {
  const { clientId } = application;
  const form = await signInForCode(baseUrl, { clientId, redirectUri, loginName: 'anna', password });
  const { status, body } = await api.call('POST /oauth/v2/token', { headers: basic(application), form });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

async function keysOf(api: Api): Promise<{ kid: string }[]> {
  return (await api.call('GET /oauth/v2/keys')).body.keys;
}

/** Fails where the ID token is not signed by a key that the process publishes. Its times are not looked at. */
async function verify(api: Api, idToken: string, audience: string): Promise<void> {
  const keys = createLocalJWKSet({ keys: await keysOf(api) });
  await jwtVerify(idToken, keys, { audience, clockTolerance: day });
}
