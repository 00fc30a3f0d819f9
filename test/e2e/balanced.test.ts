import { randomBytes } from 'node:crypto';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { connect, type HttpAnswer } from '../../dev/stage/http-client.js';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { type Api, openStage, type Stage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { startBalancer } from '../support/network/nginx.js';
import { signInForCode } from '../support/oidc/sign-in-for-code.js';
import { keepCalling } from '../support/processes/load.js';
import { bulkOf, namesByStatus, newUser, sendBulk } from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';
const redirectUri = 'https://shop.example/callback';
/** Well below the minute after which a process drops the data in its memory by itself. */
const soon = { within: 25_000 };
const within = 200_000;

t.test('two processes behind a balancer are one service', { timeout: 295_000 }, async (t) => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const stage = await openStage(t, { settings: { MUSTER_BASE_URL: baseUrl } });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const [one, two, worker] = await Promise.all([
    stage.startApi(),
    // The process continues for this time after its end signal, so that the balancer learns of the end.
    stage.startApi({ MUSTER_DRAIN_SECONDS: '20' }),
    stage.startWorker(),
  ]);
  const balancer = await startBalancer(t, { port, servers: [one.address, two.address] });
  if (balancer === undefined) return;
  const service = connect(baseUrl, stage.token);
  const application = await makeApplication(stage, one);
  const person = await one.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser('anna', password) });
  t.equal(person.status, 201);

  t.test('a login changes the process at every request', async (t) => {
    const before = (await balancer.answered()).length;
    const tokens = await signIn(service, baseUrl, application);
    t.match(tokens, { token_type: 'Bearer', id_token: String, refresh_token: String });
    const turns = (await balancer.answered()).slice(before);
    t.ok(turns.length >= 4, turns.map(({ path }) => path.split('?')[0]).join(' '));
    const same = turns.filter(({ server }, index) => index > 0 && server === turns[index - 1]?.server);
    t.same(same, []);
    for (const api of [one, two]) {
      t.equal((await api.call('GET /oidc/v1/userinfo', { token: tokens.access_token })).status, 200);
    }
    const again = await service.call('POST /oauth/v2/token', {
      form: { ...clientOf(application), grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
    });
    t.equal(again.status, 200);
  });

  t.test('a state of 8,192 bytes passes the balancer, in an address and in a form', async (t) => {
    const { clientId } = application;
    const state = randomBytes(6_144).toString('base64url');
    for (const byPost of [false, true]) {
      const person = { loginName: 'anna', password };
      const shown = await signInForCode(baseUrl, { clientId, redirectUri, ...person, state, byPost });
      t.match(shown, { code: /./ }, byPost ? 'form' : 'address');
    }
  });

  t.test('both publish and use the key that one was told to use', async (t) => {
    const rotated = await one.call('POST /admin/v1/signing-keys/_rotate', { json: { force: true } });
    t.equal(rotated.status, 200);
    const published = rotated.body.items.filter((key: { published?: string }) => key.published !== undefined);
    const active = rotated.body.items.find(
      ({ state, alg }: { state: string; alg: string }) => state === 'active' && alg === 'RS256',
    ).kid;
    // The other process learns it from a Redis message, which may arrive after the next request.
    await until(async () => {
      const { body } = await two.call(`GET ${new URL(await jwksUri(two)).pathname}`);
      return body.keys.length === published.length;
    }, soon);
    for (let round = 0; round < 4; round++) {
      const { id_token } = await signIn(service, baseUrl, application);
      const header = JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString());
      t.equal(header.kid, active);
    }
  });

  t.test('a token that is revoked at one is refused by the other at the next request', async (t) => {
    const client = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
    const list = `GET /scim/v2/${stage.orgId}/Users?count=1`;
    for (const [here, there] of [
      [one, two],
      [two, one],
    ] as const) {
      const token = await accessTokenOf(stage, here, client);
      t.equal((await there.call(list, { token })).status, 200);
      const form = { client_id: client.clientId, client_secret: client.clientSecret, token };
      t.equal((await here.call('POST /oauth/v2/revoke', { form })).status, 200);
      t.equal((await there.call(list, { token })).status, 401);
    }
  });

  t.test('a client secret that is removed at one is refused by the other', async (t) => {
    const other = await makeApplication(stage, one);
    const errorAtTwo = async (clientSecret: string) => {
      const form = {
        ...clientOf({ ...other, clientSecret }),
        grant_type: 'refresh_token',
        refresh_token: 'none',
      };
      return (await two.call('POST /oauth/v2/token', { form })).body.error;
    };
    t.equal(await errorAtTwo(other.clientSecret), 'invalid_grant', 'the client is who it says');
    const secrets = `/admin/v1/orgs/${stage.orgId}/applications/${other.clientId}/secrets`;
    const [former] = (await one.call(`GET ${secrets}`)).body.items;
    const { body: made } = await one.call(`POST ${secrets}`, { json: {} });
    stage.keepSecret(made.clientSecret);
    t.equal((await one.call(`DELETE ${secrets}/${former.id}`)).status, 204);
    // The other one holds the application in memory until a message of Redis reaches it.
    await until(async () => (await errorAtTwo(other.clientSecret)) === 'invalid_client', soon);
    t.equal(await errorAtTwo(made.clientSecret), 'invalid_grant');
  });

  t.test('a person deactivated at one process is refused at the other', async (t) => {
    const created = await one.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser('bert', password) });
    const { access_token: token } = await signIn(service, baseUrl, application, 'bert');
    t.equal((await two.call('GET /oidc/v1/userinfo', { token })).status, 200);
    const patch = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    };
    const path = `/scim/v2/${stage.orgId}/Users/${created.body.id}`;
    t.equal((await one.call(`PATCH ${path}`, { json: patch })).status, 204);
    t.equal((await two.call('GET /oidc/v1/userinfo', { token })).status, 401);
  });

  t.test('all are replaced, one after another, and no request fails', async (t) => {
    const client = await makeServiceUser(stage, one, 'ORG_USER_MANAGER');
    const form = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    };
    const users = `/scim/v2/${stage.orgId}/Users`;
    const call = async (number: number): Promise<Pick<HttpAnswer, 'status' | 'body'>> => {
      switch (number % 5) {
        case 0:
          return service.call('POST /oauth/v2/token', { form });
        case 1:
          return service.call(`GET ${users}?count=1`);
        case 2:
          return service.call(`POST ${users}`, { json: newUser(`load-${number}`) });
        case 3:
          return { status: 200, body: await signIn(service, baseUrl, application) };
        default: {
          const answer = await sendBulk(stage, { ...one, ...service }, bulkOf(`bulk-${number}`, 3));
          const applied = answer.status === 200 && namesByStatus(answer)[201]?.length === 3;
          return { status: applied ? 200 : 500, body: answer.body };
        }
      }
    };
    const load = keepCalling(call, { parallel: 5, expected: [200, 201] });

    const successors = [stage.startApi(), stage.startApi(), stage.startWorker()] as const;
    const [three, four] = await Promise.all(successors);
    worker.signal('SIGTERM');
    t.equal(await worker.exitCode, 0);

    // The balancer gets the new list before the process gets its end signal.
    await balancer.use([two.address, three.address]);
    one.signal('SIGTERM');
    t.equal(await one.exitCode, 0);

    // The balancer learns of it later, as on Kubernetes.
    await balancer.use([two.address, three.address, four.address]);
    two.signal('SIGTERM');
    await until(async () => (await two.call('GET /readyz')).status === 503, { within });
    const before = (await balancer.answered()).length;
    const draining = await two.call(`GET ${users}?count=1`);
    t.match(draining, { status: 200, headers: { connection: 'close' } });
    const lastAnswers = async () =>
      (await balancer.answered()).slice(before).filter(({ server }) => two.address.endsWith(server));
    // More than were under way.
    await until(async () => (await lastAnswers()).length > 5, { within });
    await balancer.use([three.address, four.address]);
    t.equal(await two.exitCode, 0);
    await load.answers(50);
    t.same(await load.stop(), []);
  });
});

interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
}

function clientOf({ clientId, clientSecret }: Application) {
  return { client_id: clientId, client_secret: clientSecret };
}

async function makeApplication(stage: Stage, api: Api): Promise<Application> {
  const { status, body } = await api.call(`POST /admin/v1/orgs/${stage.orgId}/applications`, {
    json: {
      name: 'Shop',
      type: 'web',
      authMethod: 'client_secret_post',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token'],
    },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  stage.keepSecret(body.clientSecret);
  return body;
}

async function jwksUri(api: Api): Promise<string> {
  return (await api.call('GET /.well-known/openid-configuration')).body.jwks_uri;
}

/** A person signs in through the balancer with their own browser. @returns the response of the token endpoint */
async function signIn(
  service: ReturnType<typeof connect>,
  baseUrl: string,
  application: Application,
  loginName = 'anna',
) {
  const { clientId } = application;
  const shown = await signInForCode(baseUrl, { clientId, redirectUri, loginName, password });
  const { status, body } = await service.call('POST /oauth/v2/token', {
    form: { ...clientOf(application), ...shown },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
