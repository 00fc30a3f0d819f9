import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as oidc from 'openid-client';
import t from 'tap';
import { until } from '../../../dev/until.js';
import { followGuide, openGuide } from '../../support/docs/follow-guide.js';
import { filesIn } from '../../support/docs/guide-blocks.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { isLoginPage, requireArrival, UserAgent } from '../../support/oidc/user-agent.js';

/** What the guides say that needs no browser with a window: the calls of an API, and the requests of an app. */

const muster = await startMusterOfReader(t);

t.test('api-tokens.md: what a caller sees of an API', async (t) => {
  const guide = await openGuide(t, muster, { name: 'api-tokens.md', ports: [4000] });
  const { 'server.mjs': program = '' } = filesIn(await readFile('docs/guides/api-node.md', 'utf8'));
  await writeFile(join(guide.folder, 'server.mjs'), program.replace('4000', String(guide.port)));
  const outputs: [string, string[]][] = [];
  for (const { sentence, script } of guide.examples) {
    if (sentence.startsWith('Start the program')) await guide.start('node --env-file=.env server.mjs');
    outputs.push([sentence, (await guide.shell.run(script)).split('\n')]);
  }
  const seen = (beginning: string) =>
    outputs.find(([sentence]) => sentence.startsWith(beginning))?.[1].map((line) => line.trim());
  const [accepted = '', ...refused] = seen('Start the program') ?? [];
  t.match(accepted, /^{"caller":"[\w-]+","orders":\[7\]} 200$/);
  t.same(refused, ['401', '401'], 'not for this API, and no token');
  t.same(seen('The first is answered'), ['204'], 'the caller has the role');
  t.same(seen('Muster knows at once'), ['401', accepted], 'a JWT lasts until it expires');
});

t.test('service-program.md: a program gets a token for itself, and calls with it', async (t) => {
  const { commands, folder } = await followGuide(t, muster, { name: 'service-program.md', ports: [] });
  const run = promisify(execFile);
  const { stdout } = await run('bash', ['-c', commands.at(-1) ?? 'false'], { cwd: folder });
  t.match(stdout, /^200 .*"name":"Nightly report"/);
});

t.test('desktop-program.md: a program on a computer signs a person in', async (t) => {
  const { commands, folder } = await followGuide(t, muster, { name: 'desktop-program.md', ports: [] });
  const program = spawn('bash', ['-c', commands.at(-1) ?? 'false'], { cwd: folder });
  let printed = '';
  program.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = once(program, 'close');
  await until(() => /http\S+\n/.test(printed), { within: 60_000 });
  const browser = new UserAgent(muster.baseUrl);
  const asked = new URL(/http\S+/.exec(printed)?.[0] ?? '');
  const redirectUri = new URL(asked.searchParams.get('redirect_uri') ?? '');
  const stray = await fetch(`${redirectUri.origin}/callback?code=made-up&state=made-up`);
  t.equal(stray.status, 404, 'an answer to no sign-in of this program');
  const { url } = requireArrival(await browser.signIn(await browser.open(asked), muster.person));
  t.match(await (await fetch(url)).text(), /You can close this window/);
  await ended;
  t.match(printed, /Hello, Anna Lind \(anna\.lind@people\.example\)\./);
});

t.test('mobile-app.md: an app signs a person in, renews the tokens and signs out', async (t) => {
  const { shell } = await followGuide(t, muster, { name: 'mobile-app.md', ports: [] });
  const clientId = await shell.run('echo "$CLIENT_ID"');
  const app = await oidc.discovery(new URL(muster.baseUrl), clientId, undefined, oidc.None(), {
    execute: [oidc.allowInsecureRequests],
  });
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const browser = new UserAgent(muster.baseUrl);
  const asked = oidc.buildAuthorizationUrl(app, {
    redirect_uri: 'com.example.field:/signed-in',
    scope: 'openid profile email offline_access',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { url } = requireArrival(await browser.signIn(await browser.open(asked), muster.person));
  t.match(url.href, /^com\.example\.field:\/signed-in\?/);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
  const tokens = await oidc.authorizationCodeGrant(app, url, checks);
  const renewed = await oidc.refreshTokenGrant(app, tokens.refresh_token ?? '');
  t.not(renewed.refresh_token, tokens.refresh_token, 'each renewal brings another refresh token');
  const { sub = '' } = tokens.claims() ?? {};
  const { access_token: token } = renewed;
  t.match(await oidc.fetchUserInfo(app, token, sub), {
    name: 'Anna Lind',
    email: 'anna.lind@people.example',
  });

  await oidc.tokenRevocation(app, renewed.refresh_token ?? '');
  await t.rejects(oidc.fetchUserInfo(app, token, sub), 'its access tokens end with a refresh token');
  const ending = oidc.buildEndSessionUrl(app, {
    id_token_hint: renewed.id_token ?? '',
    post_logout_redirect_uri: 'com.example.field:/signed-out',
  });
  t.equal(requireArrival(await browser.open(ending)).url.href, 'com.example.field:/signed-out');
  t.ok(isLoginPage(await browser.open(asked)), 'the session at Muster has ended too');
});
