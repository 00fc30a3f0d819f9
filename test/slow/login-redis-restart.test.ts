import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { freePort } from '../../dev/free-port.js';
import { killIfLeft } from '../../dev/leftovers.js';
import { notRun } from '../../dev/not-run.js';
import { findProgram } from '../../dev/programs.js';
import { type Api, openStage, type Stage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { makeCertificate } from '../support/network/certificate.js';
import { hookSettings, startFormerService, takenOverOnce } from '../support/processes/former-service.js';

const password = 'Correct-Horse-7';
const redirectUri = 'http://127.0.0.1:9/callback';
const within = 120_000;

t.test('Redis is restarted while a person signs in', { timeout: 300_000 }, async (t) => {
  const program = await findProgram('redis-server');
  if (program === undefined) {
    notRun(t, 'redis-server is not installed');
    return;
  }
  const redis = await startRedis(t, program);
  const stage = await openStage(t, { settings: { REDIS_URL: redis.url } });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const api = await stage.startApi();
  const clientId = await prepare(stage, api);
  const authorize = `/oauth/v2/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  })}`;
  const credentials = { loginName: 'anna', password };

  const browser = openBrowser(stage, api);
  const page = await browser.get(await browser.next(authorize));
  t.equal(page.status, 200);
  await redis.stop();
  for (const [name, seen] of Object.entries({
    'the form is sent': await browser.send(page, credentials),
    'the page is opened': await browser.get(page.path),
    'an application asks': await browser.get(authorize),
  })) {
    t.match(seen, { status: 503, text: /<h1>Not available<\/h1>/ }, `${name}: a page that says so`);
    t.match(seen.headers.get('retry-after'), /^\d+$/, name);
    t.notMatch(seen.text, / at .*\.js|ioredis|ECONNREFUSED|Error:/, `${name}: and nothing of the inside`);
  }

  await redis.start();
  await until(async () => (await api.call('GET /readyz')).status === 200, { within });
  const done = await browser.send(page, credentials);
  t.equal(done.status, 303, 'the sign-in goes on, because its request waits in the address of the page');
  const callback = await browser.get(done.location);
  t.match(callback.location, /^http:\/\/127\.0\.0\.1:9\/callback\?code=/, 'and it works without a restart');
  const known = await browser.follow(authorize);
  t.match(known.location, /^http:\/\/127\.0\.0\.1:9\/callback\?code=/, 'the browser is signed in');

  await redis.stop();
  await redis.start();
  await until(async () => (await api.call('GET /readyz')).status === 200, { within });
  const forgotten = await browser.follow(authorize);
  t.match(forgotten, { status: 200, text: /name="password"/ }, 'who was signed in signs in again');
});

t.test('Redis is restarted while a migration hook is asked', { timeout: 300_000 }, async (t) => {
  const program = await findProgram('redis-server');
  const certificate = await makeCertificate(t);
  if (program === undefined || certificate === undefined) {
    notRun(t, 'redis-server or openssl is not installed');
    return;
  }
  const redis = await startRedis(t, program);
  const stage = await openStage(t, { settings: { REDIS_URL: redis.url, ...hookSettings(certificate) } });
  if (stage === undefined) return;
  const api = await stage.startApi();
  const former = await startFormerService(t, { stage, api, certificate });
  const sent = former.signIn(api, 'lazy');
  await former.asked('lazy');
  await redis.stop();
  former.answer('lazy');
  t.equal(await sent, 503, 'the sign-in has no session to begin');
  await redis.start();
  await until(async () => (await api.call('GET /readyz')).status === 200, { within });
  former.answerAtOnce();
  t.equal(await former.signIn(api, 'lazy'), 303, 'the second sign-in works');
  t.same(await former.stored('lazy'), takenOverOnce);
});

/** A Redis that keeps nothing, at one port. */
async function startRedis(t: Pick<Test, 'teardown'>, program: string) {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const stop = async () => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  };
  t.teardown(stop);
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const started = spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'] });
    killIfLeft(started);
    child = started;
    let output = '';
    started.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await until(() => output.includes('Ready to accept connections'), { within });
  };
  await start();
  return { url: `redis://127.0.0.1:${port}`, start, stop };
}

/** A person with a password, and an application. @returns its client_id */
async function prepare({ orgId }: Stage, api: Api): Promise<string> {
  const user = await api.call(`POST /scim/v2/${orgId}/Users`, {
    headers: { 'content-type': 'application/scim+json' },
    json: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'anna',
      name: { givenName: 'Anna', familyName: 'Lind' },
      emails: [{ value: 'anna@example.com', primary: true }],
      password,
    },
  });
  if (user.status !== 201) throw new Error(JSON.stringify(user.body));
  const application = await api.call(`POST /admin/v1/orgs/${orgId}/applications`, {
    json: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
  });
  if (application.status !== 201) throw new Error(JSON.stringify(application.body));
  return application.body.clientId;
}

interface Seen {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string;
}

/** A browser without JavaScript that keeps cookies. It reaches the service by its real address. */
function openBrowser({ baseUrl }: Stage, { address }: Api) {
  const cookies = new Map<string, string>();
  const local = (url: string) => (url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url);

  async function load(url: string, body?: URLSearchParams): Promise<Seen> {
    const path = local(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${address}${path}`, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie, 'accept-language': 'en' },
      ...(body && { body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = local(answer.headers.get('location') ?? '');
    return { path, status: answer.status, headers: answer.headers, text: await answer.text(), location };
  }

  return {
    get: (url: string) => load(url),
    /** Where the address leads. */
    next: async (url: string) => (await load(url)).location,
    /** Goes where it leads, to a page or to the application. */
    async follow(url: string): Promise<Seen> {
      let seen = await load(url);
      while (seen.location.startsWith('/')) seen = await load(seen.location);
      return seen;
    },
    /** Fills in the first form of a page. */
    send(page: Seen, values: Record<string, string>) {
      const [, action = '', form = ''] =
        /<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(page.text) ?? [];
      const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      );
      return load(action, new URLSearchParams({ ...Object.fromEntries(hidden), ...values }));
    },
  };
}
