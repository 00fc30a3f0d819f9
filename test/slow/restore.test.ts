import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { backUp, emptyRedis, restore } from '../support/migration/back-up.js';
import { humanUsers, importOf } from '../support/migration/imports.js';
import { signInForCode } from '../support/oidc/sign-in-for-code.js';
import { isLoginPage, requireArrival, UserAgent } from '../support/oidc/user-agent.js';
import { expectAppliedOnce, newUser } from '../support/scim/bulk.js';

const person = { loginName: 'anna', password: 'Correct-Horse-7' };
const redirectUri = 'https://shop.example/callback';

/** The steps of "Back-up and restore" in docs/operations.md, and its statements about the time after them. */
t.test('a back-up is restored, and Redis is emptied', { timeout: 280_000 }, async (t) => {
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const stage = await openStage(t, { settings: { MUSTER_BASE_URL: baseUrl, PORT: port } });
  if (stage === undefined) return;
  stage.keepSecret(person.password);
  const api = await stage.startApi();
  const users = `/scim/v2/${stage.orgId}/Users`;
  const made = await api.call(`POST ${users}`, { json: newUser(person.loginName, person.password) });
  t.equal(made.status, 201);
  const application = await api.call(`POST /admin/v1/orgs/${stage.orgId}/applications`, {
    json: {
      name: 'Shop',
      type: 'web',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token'],
    },
  });
  t.equal(application.status, 201);
  const { clientId, clientSecret } = application.body;
  stage.keepSecret(clientSecret);
  const headers = { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
  const redeem = (form: Record<string, string>) => api.call('POST /oauth/v2/token', { headers, form });
  const refresh = (token: string) => redeem({ grant_type: 'refresh_token', refresh_token: token });
  const signIn = async () => {
    const { status, body } = await redeem(await signInForCode(baseUrl, { clientId, redirectUri, ...person }));
    t.equal(status, 200);
    return body;
  };
  const statusOf = async (token: string) => (await api.call(`GET ${users}?count=1`, { token })).status;
  const keys = async () => (await api.call('GET /oauth/v2/keys')).body;

  const program = await makeServiceUser(stage, api, 'ORG_USER_VIEWER');
  const revoke = (token: string) =>
    api.call('POST /oauth/v2/revoke', {
      form: { client_id: program.clientId, client_secret: program.clientSecret, token },
    });
  const revokedBefore = await accessTokenOf(stage, api, program);
  const revokedAfter = await accessTokenOf(stage, api, program);
  t.equal((await revoke(revokedBefore)).status, 200);
  const [kept, rotated] = [await signIn(), await signIn()];
  const browser = new UserAgent(baseUrl);
  const ask = `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  })}`;
  requireArrival(await browser.signIn(await browser.open(ask), person));
  requireArrival(await browser.open(ask));
  const keysBefore = await keys();
  // No worker runs, so this is open when the back-up is made.
  const json = importOf(stage.orgId, humanUsers('open', 3), { timeout: '10m' });
  const open = await api.call('POST /admin/v1/import', { json, headers: { prefer: 'respond-async' } });
  t.equal(open.status, 202);

  const copy = await backUp(stage);

  t.equal((await api.call(`POST ${users}`, { json: newUser('later') })).status, 201);
  t.equal((await revoke(revokedAfter)).status, 200);
  t.same([await statusOf(revokedBefore), await statusOf(revokedAfter)], [401, 401]);
  const rotatedAfter = await refresh(rotated.refresh_token);
  t.equal(rotatedAfter.status, 200);

  api.signal('SIGTERM');
  t.equal(await api.exitCode, 0);
  await restore(stage, copy);
  await emptyRedis(stage);

  const otherKey = `k1:${randomBytes(32).toString('base64url')}`;
  await t.rejects(
    stage.startApi({ MUSTER_MASTER_KEYS: otherKey }),
    { message: /A process ended at its start: .*MUSTER_MASTER_KEYS/s },
    'no process starts without the keys of the time of the back-up',
  );
  await stage.startApi();
  await stage.startWorker();

  t.same(
    [await statusOf(revokedBefore), await statusOf(revokedAfter)],
    [401, 200],
    'revocations of then hold',
  );
  const list = await api.call(`GET ${users}?filter=${encodeURIComponent('userName sw "later"')}`);
  t.equal(list.body.totalResults, 0, 'what happened later is gone');
  t.equal((await api.call(`POST ${users}`, { json: newUser('anna') })).status, 409, 'indexes are there');

  t.same(await keys(), keysBefore, 'the signing keys are unsealed and the same');
  await jwtVerify(kept.id_token, createLocalJWKSet(keysBefore), { audience: clientId });
  t.equal((await api.call('GET /oidc/v1/userinfo', { token: kept.access_token })).status, 200);
  t.equal((await refresh(kept.refresh_token)).status, 200);
  t.match(await refresh(rotatedAfter.body.refresh_token), { status: 400, body: { error: 'invalid_grant' } });

  const page = await browser.open(ask);
  t.ok(isLoginPage(page), 'people sign in again');
  requireArrival(await browser.signIn(page, person));

  const job = `GET /admin/v1/jobs/${String(open.headers.location).split('/').at(-1)}`;
  await until(async () => (await api.call(job)).body.state === 'completed');
  const names = ['open-0', 'open-1', 'open-2'];
  await expectAppliedOnce(t, { stage, api, word: 'open', names });
});
