import t from 'tap';
import { startProvider } from '../support/oidc/relying-party.js';
import {
  addressesOf,
  isLoginPage,
  requireArrival,
  requirePage,
  type Seen,
  type UserAgent,
} from '../support/oidc/user-agent.js';

// The checks of the RP-Initiated Logout profile of the OpenID Foundation's conformance suite. Where the suite lets the
// provider choose, this one asks the person, unless the client sends an ID token of a live session.

const provider = await startProvider(t);
const { baseUrl } = provider;
const bye = 'https://client.example/bye';
const rp = await provider.newClient({ postLogoutRedirectUris: [bye, `${bye}?from=muster`] });

/** A browser with a session, and the ID token of it. */
async function signedIn(): Promise<{ agent: UserAgent; idToken: string }> {
  const agent = provider.newAgent();
  const { body } = await rp.getTokens(agent);
  return { agent, idToken: body.id_token };
}

const endSession = (agent: UserAgent, parameters: Record<string, string> = {}) =>
  agent.open(`${baseUrl}/oidc/v1/end_session?${new URLSearchParams(parameters)}`);

/** Whether the browser has its session. The suite also asks with prompt=none. */
async function isSignedIn(agent: UserAgent): Promise<boolean> {
  const { parameters } = requireArrival(await rp.open(agent, { prompt: 'none' }));
  if (parameters.has('code')) return true;
  if (parameters.get('error') === 'login_required') return false;
  throw new Error(String(parameters));
}

const isQuestion = (seen: Seen) =>
  seen.kind === 'page' && seen.status === 200 && seen.text.includes('name="answer" value="yes"');

const agree = (agent: UserAgent, seen: Seen) => agent.submit(seen, { answer: 'yes' });

t.test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async (t) => {
  const document = await (await fetch(`${baseUrl}/.well-known/openid-configuration`)).json();
  t.match(document, { end_session_endpoint: `${baseUrl}/oidc/v1/end_session` });
});

t.test('oidcc-rp-initiated-logout', async (t) => {
  const { agent, idToken } = await signedIn();
  t.ok(await isSignedIn(agent));
  const seen = await endSession(agent, {
    id_token_hint: idToken,
    post_logout_redirect_uri: bye,
    state: rp.state,
  });
  t.equal(requireArrival(seen).url.href, `${bye}?state=${rp.state}`);
  t.notOk(await isSignedIn(agent));
  t.ok(isLoginPage(await rp.open(agent)), 'the next one signs in anew');
});

t.test('oidcc-rp-initiated-logout by POST', async (t) => {
  const { agent, idToken } = await signedIn();
  const form = { id_token_hint: idToken, post_logout_redirect_uri: bye };
  const seen = await agent.openByPost(`${baseUrl}/oidc/v1/end_session`, form);
  t.equal(requireArrival(seen).url.href, bye);
  t.notOk(await isSignedIn(agent));
});

t.test('oidcc-rp-initiated-logout-no-state', async (t) => {
  const { agent, idToken } = await signedIn();
  const seen = await endSession(agent, { id_token_hint: idToken, post_logout_redirect_uri: bye });
  t.equal(requireArrival(seen).url.href, bye);
  t.notOk(await isSignedIn(agent));
});

t.test('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', async (t) => {
  const { agent, idToken } = await signedIn();
  const uri = `${bye}?x=1`;
  const seen = await endSession(agent, { id_token_hint: idToken, post_logout_redirect_uri: uri });
  t.equal(requirePage(seen).status, 400, 'the address is registered as a whole');
  const registered = `${bye}?from=muster`;
  const again = await endSession(agent, {
    id_token_hint: idToken,
    post_logout_redirect_uri: registered,
    state: 's',
  });
  t.equal(requireArrival(again).url.href, `${registered}&state=s`);
});

t.test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', async (t) => {
  const { agent, idToken } = await signedIn();
  for (const uri of ['https://evil.example/bye', `${bye}/`, 'javascript:alert(1)']) {
    const seen = await endSession(agent, { id_token_hint: idToken, post_logout_redirect_uri: uri });
    t.equal(requirePage(seen).status, 400, uri);
    t.notOk(addressesOf(requirePage(seen)).includes(uri), 'nothing leads there');
  }
  t.ok(await isSignedIn(agent));
});

t.test('oidcc-rp-initiated-logout-bad-id-token-hint', async (t) => {
  const { agent } = await signedIn();
  const seen = await endSession(agent, { id_token_hint: 'nonsense', post_logout_redirect_uri: bye });
  t.ok(isQuestion(seen));
  t.ok(await isSignedIn(agent), 'nothing happens unasked');
  const done = requirePage(await agree(agent, seen));
  t.equal(done.status, 200, 'and a forged hint leads out nowhere');
  t.notOk(await isSignedIn(agent));
});

t.test('oidcc-rp-initiated-logout-modified-id-token-hint', async (t) => {
  const { agent, idToken } = await signedIn();
  const [header = '', payload = '', signature = ''] = idToken.split('.');
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  for (const parts of [
    [header, payload, flipped],
    [header, other, signature],
    [unsigned, payload, ''],
  ]) {
    const hint = { id_token_hint: parts.join('.'), post_logout_redirect_uri: bye };
    t.ok(isQuestion(await endSession(agent, hint)));
  }
  t.ok(await isSignedIn(agent));
});

t.test('oidcc-rp-initiated-logout-no-id-token-hint', async (t) => {
  const { agent } = await signedIn();
  const parameters = { client_id: rp.client.id, post_logout_redirect_uri: bye, state: 's' };
  const seen = await endSession(agent, parameters);
  t.ok(isQuestion(seen));
  t.ok(await isSignedIn(agent));
  t.equal(requireArrival(await agree(agent, seen)).url.href, `${bye}?state=s`);
  t.notOk(await isSignedIn(agent));

  const nobodys = await signedIn();
  const asked = await endSession(nobodys.agent, { post_logout_redirect_uri: bye });
  t.ok(isQuestion(asked));
  t.equal(requirePage(await agree(nobodys.agent, asked)).status, 200, 'an address of no client is ignored');
});

t.test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async (t) => {
  const { agent, idToken } = await signedIn();
  const page = requirePage(await endSession(agent, { id_token_hint: idToken }));
  t.equal(page.status, 200);
  t.match(page.text, 'Signed out');
  t.notOk(await isSignedIn(agent));
});

for (const [name, parameters] of [
  ['oidcc-rp-initiated-logout-no-params', {}],
  ['oidcc-rp-initiated-logout-only-state', { state: 's' }],
] as const) {
  t.test(name, async (t) => {
    const { agent } = await signedIn();
    const kept = await endSession(agent, parameters);
    t.ok(isQuestion(kept));
    t.equal(requirePage(await agent.submit(kept, { answer: 'no' })).status, 200);
    t.ok(await isSignedIn(agent), 'the person may stay');
    const seen = await endSession(agent, parameters);
    t.match(requirePage(await agree(agent, seen)).text, 'Signed out');
    t.notOk(await isSignedIn(agent));
  });
}

t.test('an expired ID token is as good as a new one', async (t) => {
  const { agent, idToken } = await signedIn();
  provider.clock.advance(provider.container.config.idTokenSeconds + 60);
  await rp.authorize(agent);
  const seen = await endSession(agent, { id_token_hint: idToken, post_logout_redirect_uri: bye });
  t.equal(requireArrival(seen).url.href, bye);
});

t.test('signing out in one browser leaves the others alone', async (t) => {
  const [one, two] = [await signedIn(), await signedIn()];
  const stolen = await endSession(two.agent, { id_token_hint: one.idToken });
  t.ok(isQuestion(stolen), 'the hint is of a session of another browser');
  await endSession(one.agent, { id_token_hint: one.idToken });
  t.same([await isSignedIn(one.agent), await isSignedIn(two.agent)], [false, true]);
});
