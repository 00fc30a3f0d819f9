import * as oidc from 'openid-client';
import t from 'tap';
import { followGuide, openGuide } from '../../support/docs/follow-guide.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { isLoginPage, requireArrival, UserAgent } from '../../support/oidc/user-agent.js';

/** What the guides say that needs no browser with a window: the programs of an API, and the requests of an app. */

const muster = await startMusterOfReader(t);

t.test('api-tokens.md: an API verifies and introspects tokens', async (t) => {
  const guide = await openGuide(t, muster, { name: 'api-tokens.md', ports: [4001, 4002] });
  const [verify = '', introspect = ''] = guide.commands.filter((command) => command.startsWith('node '));
  const outputs: Record<string, string> = {};
  for (const { sentence, script } of guide.examples) {
    if (sentence.startsWith('Call it with each')) await guide.start(verify);
    if (sentence.startsWith('Call it with the two')) {
      await guide.start(introspect, Number(/localhost:(\d+)/.exec(script)?.[1]));
    }
    outputs[sentence] = await guide.shell.run(script);
  }
  const seen = (beginning: string) => {
    const found = Object.entries(outputs).find(([sentence]) => sentence.startsWith(beginning));
    return (found?.[1] ?? '').split('\n');
  };
  const scope = /"scope":"urn:service:iam:org:project:id:[\w-]+:aud"} 200$/;
  const [verified = '', ...refused] = seen('Call it with each');
  t.match(verified, scope);
  t.same(refused, [' 401', ' 401'], 'not for this API, and no token');
  const [introspected = '', unknown] = seen('Call it with the two');
  t.match(introspected, scope);
  t.match(introspected, '"caller":"billing"');
  t.equal(unknown, ' 401', 'not for this API');
  const [atOnce, still] = seen('Introspection knows at once');
  t.equal(atOnce, '401');
  t.match(still, scope, 'a JWT lasts until it expires');
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
