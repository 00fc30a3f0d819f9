import { SignJWT } from 'jose';
import t from 'tap';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor, uniqueName } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Lies, startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const another = await startHostileProvider(t, certificate, () => clock.now());
t.beforeEach(() => {
  provider.lies = {};
});

const seconds = (from: number) => Math.floor(clock.now().getTime() / 1000) + from;

/** Signs in with a lie. Returns the reason that the owner sees, or undefined if the person is signed in. */
async function reasonOf(connected: Connected, lies: Lies, claims: Record<string, unknown> = {}) {
  provider.lies = lies;
  clock.advance(11);
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, connected, provider, { sub: 'anna', ...claims });
  provider.lies = {};
  if (isSignedIn(seen)) return undefined;
  const page = await refusedPage(visitor, seen);
  if (!/name="password"|way=password/.test(page.text)) throw new Error(`No other way: ${page.text}`);
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals[0].reason;
}

t.test('an ID token must be right in every claim', async (t) => {
  const acme = await makeConnected(service, provider);
  const wrong: Record<string, unknown>[] = [
    { iss: another.issuer },
    { iss: `${provider.issuer}/` },
    { iss: undefined },
    { aud: 'another-client' },
    { aud: ['muster', 'another-client'] },
    { aud: ['muster', 'another-client'], azp: 'another-client' },
    { aud: undefined },
    { azp: 'another-client' },
    { nonce: 'another' },
    { nonce: undefined },
    { exp: seconds(-61) },
    { exp: undefined },
    { exp: 'never' },
    { iat: undefined },
    { nbf: seconds(3_600) },
    { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' },
    { at_hash: 7 },
    { sub: undefined },
    { sub: '' },
    { sub: 7 },
    { sub: 'x'.repeat(256) },
    { sub: 'line\nbreak' },
  ];
  for (const claims of wrong) {
    t.equal(await reasonOf(acme, { claims }), 'tokenInvalid', JSON.stringify(claims).slice(0, 80));
  }
  t.equal(await container.users.count(acme.orgId), 0);
  for (const claims of [
    { exp: seconds(-30) },
    { aud: ['muster'] },
    { azp: 'muster' },
    { at_hash: undefined },
  ]) {
    t.equal(await reasonOf(acme, { claims }), undefined, JSON.stringify(claims));
  }
  t.equal(await container.users.count(acme.orgId), 1);
});

t.test('only a published asymmetric key of the provider signs', async (t) => {
  const acme = await makeConnected(service, provider);
  const resigned = (jwt: string, alg: string, key: Uint8Array) => {
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
  };
  const secret = new TextEncoder().encode('a-secret-of-ours'.padEnd(32, '-'));
  t.equal(await reasonOf(acme, { idToken: (own) => resigned(own, 'HS256', secret) }), 'tokenInvalid');
  const unsigned = (own: string) => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    return `${header}.${own.split('.')[1]}.`;
  };
  t.equal(await reasonOf(acme, { idToken: unsigned }), 'tokenInvalid');
  const cut = (own: string) => `${own.slice(0, -8)}AAAAAAAA`;
  t.equal(await reasonOf(acme, { idToken: cut }), 'signatureInvalid');
  t.equal(await reasonOf(acme, { header: { kid: 'unknown' } }), 'signatureInvalid');
  const foreign = async (own: string) => {
    const claims = JSON.parse(Buffer.from(own.split('.')[1] ?? '', 'base64url').toString());
    return another.own.sign(claims);
  };
  t.equal(await reasonOf(acme, { idToken: foreign }), 'signatureInvalid', 'the same kid at another provider');
  t.equal(await container.users.count(acme.orgId), 0);
  t.equal(await reasonOf(acme, {}), undefined);
});

t.test('keys are read anew when the provider rotates them, and not for every made-up key', async (t) => {
  const acme = await makeConnected(service, provider);
  t.equal(await reasonOf(acme, {}), undefined);
  clock.advance(31);
  await provider.own.rotate({ alg: 'ES256' });
  t.equal(await reasonOf(acme, {}), undefined, 'the new key signs');
  const asked = () => provider.own.asked.filter((path) => path === '/keys').length;
  const before = asked();
  t.equal(await reasonOf(acme, { header: { kid: 'made-up-1' } }), 'signatureInvalid');
  t.equal(await reasonOf(acme, { header: { kid: 'made-up-2' } }), 'signatureInvalid');
  t.equal(asked(), before, 'read half a minute ago');
});

t.test('the token endpoint may refuse, stall, redirect, and send too much', async (t) => {
  const acme = await makeConnected(service, provider);
  const answers: [Lies['token'], string][] = [
    [
      (_request, response) => void response.writeHead(400, json).end('{"error":"invalid_client"}'),
      'codeRefused',
    ],
    [(_request, response) => void response.writeHead(500).end('<html>'), 'tokenInvalid'],
    [(_request, response) => void response.writeHead(200, json).end('{}'), 'tokenInvalid'],
    [(_request, response) => void response.writeHead(200, json).end('{"access_token"'), 'tokenInvalid'],
    [
      (_request, response) => void response.writeHead(307, { location: `${another.issuer}/token` }).end(),
      'tokenInvalid',
    ],
    [
      (_request, response) => void response.writeHead(302, { location: 'https://10.0.0.1/' }).end(),
      'tokenInvalid',
    ],
    [(_request, response) => void response.writeHead(200, json).end(' '.repeat(300_000)), 'unreachable'],
    [(request) => void request.socket.destroy(), 'unreachable'],
  ];
  for (const [token, reason] of answers) {
    if (token) t.equal(await reasonOf(acme, { token }), reason);
  }
  t.strictSame(
    another.own.asked.filter((path) => path === '/token'),
    [],
    'no redirect is followed',
  );
  const began = performance.now();
  t.equal(await reasonOf(acme, { token: () => undefined }), 'unreachable');
  t.ok(performance.now() - began < 10_000, 'it waits five seconds');
});

const json = { 'content-type': 'application/json' };

t.test('a provider that lies about itself is not used', async (t) => {
  const { owner, orgId } = await makeConnected(service, provider);
  const add = (issuer: string, own: object = {}) =>
    call(`POST /admin/v1/orgs/${orgId}/connections`, {
      as: owner,
      body: { name: 'Liar', provider: { issuer, clientId: 'muster', ...own } },
    });
  const liar = await startHostileProvider(t, certificate, () => clock.now());
  for (const discovery of [
    { issuer: provider.issuer },
    { issuer: `${liar.issuer}/` },
    { issuer: undefined },
    { token_endpoint: liar.issuer.replace('https:', 'http:') },
    { jwks_uri: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
    { authorization_endpoint: 'https://user:password@127.0.0.1/' },
  ]) {
    liar.lies = { discovery };
    clock.advance(11);
    const { status, body } = await add(liar.issuer);
    t.equal(status, 400, JSON.stringify(discovery));
    t.match(JSON.stringify(body), 'connections.providerUnusable');
  }
  liar.lies = {};
  for (const address of ['https://169.254.169.254', 'https://10.0.0.1', 'https://[::1]:8443']) {
    const { status } = await add(address);
    t.equal(status, 400, `${address} is no public address`);
    const by = { authorization: `${address}/a`, token: `${address}/t`, keys: `${address}/k` };
    t.equal((await add('https://login.example.com', { endpoints: by })).status, 400);
  }
  clock.advance(11);
  t.equal((await add(liar.issuer)).status, 201);
});

t.test('the reason why the keys cannot be used is told, with the address that it is about', async (t) => {
  const { owner, orgId } = await makeConnected(service, provider);
  const liar = await startHostileProvider(t, certificate, () => clock.now());
  const add = () =>
    call(`POST /admin/v1/orgs/${orgId}/connections`, {
      as: owner,
      body: { name: 'Liar', provider: { issuer: liar.issuer, clientId: 'muster' }, clientSecret: 'x' },
    });
  const keys = (answer: Lies['token']) => {
    if (answer) liar.own.instead.set('/keys', answer);
  };
  const faults: [set: () => void, params: object, message: RegExp][] = [
    [
      () => (liar.lies = { discovery: { jwks_uri: 'https://169.254.169.254/keys' } }),
      { reason: 'privateAddress', member: 'jwks_uri' },
      /Reading the keys: The host has a private address/,
    ],
    [
      () => keys((_request, response) => void response.writeHead(404).end('{}')),
      { reason: 'wrongStatus', member: 'jwks_uri' },
      /Reading the keys: The answer has the status 404/,
    ],
    [
      () => keys((_request, response) => void response.writeHead(200, json).end('<html>')),
      { reason: 'notJson', member: 'jwks_uri' },
      /Reading the keys: The answer is not JSON/,
    ],
    [
      () => keys((_request, response) => void response.writeHead(200, json).end('{"keys":[]}')),
      { reason: 'keysMissing', member: undefined },
      /publishes no key for signatures that is usable here/,
    ],
    [
      () => (liar.lies = { discovery: { token_endpoint: undefined } }),
      { reason: 'addressMissing', member: 'token_endpoint' },
      /no https address as token_endpoint/,
    ],
  ];
  for (const [set, params, message] of faults) {
    liar.lies = {};
    liar.own.instead.delete('/keys');
    set();
    // A discovery document that was right serves for an hour.
    clock.advance(3_601);
    const { status, body } = await add();
    t.equal(status, 400);
    t.match(body, {
      detail: message,
      errors: [{ params: { reason: (params as { reason: string }).reason } }],
    });
    t.equal(body.errors[0].params.member, (params as { member?: string }).member);
  }
  liar.lies = {};
  liar.own.instead.delete('/keys');
  clock.advance(601);
  const added = await add();
  t.equal(added.status, 201);
  liar.lies = { discovery: { jwks_uri: 'https://169.254.169.254/keys' } };
  clock.advance(601);
  const tested = await call(`POST /admin/v1/orgs/${orgId}/connections/${added.body.id}/test`, { as: owner });
  t.match(tested.body, { outcome: 'unusable', fault: 'privateAddress', member: 'jwks_uri' });
  const acme = {
    owner,
    orgId,
    connectionId: added.body.id,
    path: `/admin/v1/orgs/${orgId}/connections/${added.body.id}`,
  };
  const visitor = newVisitor(service);
  await refusedPage(visitor, await signInBy(visitor, acme, liar, { sub: 'x' }));
  const health = await call(`GET ${acme.path}/health`, { as: owner });
  t.match(health.body.refusals[0], {
    reason: 'unreachable',
    detail: /Reading the keys: The host has a private address/,
  });
});

t.test('an endpoint inside the network is not called, whatever the discovery document says', async (t) => {
  const liar = await startHostileProvider(t, certificate, () => clock.now());
  const acme = await makeConnected(service, liar);
  clock.advance(601);
  liar.lies = { discovery: { token_endpoint: 'https://169.254.169.254/latest' } };
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, acme, liar, { sub: 'x' });
  await refusedPage(visitor, seen);
  const { body } = await call(`GET ${acme.path}/health`, { as: acme.owner });
  t.match(body.refusals[0], { reason: 'unreachable', detail: 'The host has a private address' });
});

t.test('people of another tenant of Entra, or domain of Google, do not sign in', async (t) => {
  const acme = await makeConnected(service, provider, { provider: { hostedDomain: 'acme.example' } });
  t.equal(await reasonOf(acme, {}), 'tenantWrong');
  t.equal(await reasonOf(acme, {}, { hd: 'other.example' }), 'tenantWrong');
  t.equal(await reasonOf(acme, {}, { hd: 'acme.example' }), undefined);
  const { owner, orgId } = acme;
  const tenant = '8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f';
  for (const place of ['common', 'organizations', 'consumers', '']) {
    const issuer = `https://login.microsoftonline.com/${place}/v2.0`;
    const body = { name: 'Entra', provider: { issuer, clientId: 'muster' } };
    const answer = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as: owner, body });
    t.equal(answer.status, 400, place);
    t.match(JSON.stringify(answer.body), 'value.entraTenant');
  }
  const { requireTenant } = await import('#src/connections/provider/check-claims.js');
  const entra = { issuer: `https://login.microsoftonline.com/${tenant}/v2.0` };
  t.throws(() => requireTenant(entra, { tid: 'another' }), /The claim tid/);
  t.throws(() => requireTenant(entra, {}), /The claim tid/);
  t.doesNotThrow(() => requireTenant(entra, { tid: tenant }));
});

t.test('the service proves itself as the connection says', async (t) => {
  const bodies: [
    Record<string, unknown>,
    (request: { form: URLSearchParams; authorization?: string }) => void,
  ][] = [
    [
      { clientSecret: 'post it', provider: { authMethod: 'client_secret_post' } },
      ({ form }) => t.equal(form.get('client_secret'), 'post it'),
    ],
    [
      { clientSecret: undefined, provider: { authMethod: 'none' } },
      ({ form, authorization }) => {
        t.equal(form.get('client_id'), 'muster');
        t.equal(authorization, undefined);
      },
    ],
  ];
  for (const [settings, check] of bodies) {
    const acme = await makeConnected(service, provider, settings);
    t.equal(await reasonOf(acme, {}), undefined);
    check(provider.tokenRequests.at(-1) as never);
  }
  const signed = await makeConnected(service, provider, {
    clientSecret: undefined,
    provider: { authMethod: 'private_key_jwt' },
  });
  t.equal(await reasonOf(signed, {}), undefined);
  const { body } = await call(`GET ${signed.path}`, { as: signed.owner });
  const { importJWK, jwtVerify } = await import('jose');
  const assertion = provider.tokenRequests.at(-1)?.form.get('client_assertion') ?? '';
  const { payload, protectedHeader } = await jwtVerify(assertion, await importJWK(body.provider.publicKey), {
    issuer: 'muster',
    subject: 'muster',
    audience: provider.issuer,
    currentDate: clock.now(),
  });
  t.equal(protectedHeader.kid, body.provider.publicKey.kid);
  t.ok((payload.exp ?? 0) - seconds(0) <= 60);
  t.notOk('d' in body.provider.publicKey);
});

t.test('what the UserInfo endpoint says must be about the same person', async (t) => {
  const acme = await makeConnected(service, provider, { provider: { readsUserInfo: true } });
  t.equal(await reasonOf(acme, { userInfo: { sub: 'somebody-else', name: 'X' } }), 'tokenInvalid');
  t.equal(await reasonOf(acme, { userInfo: { sub: 'anna', name: 'By UserInfo' } }), undefined);
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  t.match(await container.users.find(acme.orgId, list?.userId ?? ''), { displayName: 'By UserInfo' });
});

t.test('the UserInfo endpoint says nothing about the sign-in', async (t) => {
  const acme = await makeConnected(service, provider, {
    strength: 'claimed',
    provider: { readsUserInfo: true, multiFactorAcrs: ['urn:acme:two'] },
  });
  const now = seconds(0);
  const said = { amr: ['mfa'], acr: 'urn:acme:two', auth_time: now, sid: 's', session_expiry: now + 600 };
  const sessionOf = async (subject: string) => {
    const lists = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
    const list = lists.find(({ items }) => Object.values(items).some((link) => link.subject === subject));
    const [session] = await container.sessions.ofUser(list?.userId ?? '');
    return session;
  };
  t.equal(await reasonOf(acme, { userInfo: { sub: 'anna', name: 'Anna', ...said } }), undefined);
  const [proof] = (await sessionOf('anna'))?.proofs ?? [];
  if (proof?.kind !== 'connection') throw new Error('No proof');
  t.equal(proof.strength, '1', 'one factor');
  t.notOk('sid' in proof || 'until' in proof);
  t.ok(Number(proof.provedAt) < (now - 80_000) * 1000, 'at no time that is known');
  const signed = { sub: 'bob', ...said };
  t.equal(await reasonOf(acme, { claims: signed, userInfo: { sub: 'bob' } }), undefined);
  t.match((await sessionOf('bob'))?.proofs, [{ strength: '2', sid: 's' }], 'the ID token does');
});

t.test('that an address is verified is said of the address beside it', async (t) => {
  const domain = `${uniqueName('acme')}.example`;
  const acme = await makeConnected(service, provider, {
    ...{ creation: 'refuse', linking: { byDomain: true } },
    provider: { readsUserInfo: true },
  });
  const { orgId, owner, path } = acme;
  await changeOrganization(container, { orgId, change: { domains: [domain] }, editor: testEditor });
  t.equal((await call(`PATCH ${path}`, { as: owner, body: { domains: [domain] } })).status, 200);
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const email = `boss@${domain}`;
  const own = `thief@${domain}`;
  await makePerson(container, organization, { emails: [{ value: email, primary: true }] });
  const wrong: [claims: Record<string, unknown>, userInfo: Record<string, unknown>][] = [
    [{ email }, { email: own, email_verified: true }],
    [{ email }, { email_verified: true }],
    [
      { email, email_verified: false },
      { email, email_verified: true },
    ],
    [{ email_verified: true }, { email }],
    [{ email_verified: true }, { email, email_verified: false }],
    [{ email_verified: false }, { email, email_verified: true }],
  ];
  for (const [claims, userInfo] of wrong) {
    const what = JSON.stringify({ claims, userInfo });
    t.equal(await reasonOf(acme, { claims, userInfo: { sub: 'anna', ...userInfo } }), 'unknownPerson', what);
  }
  const right = { userInfo: { sub: 'anna', email, email_verified: true } };
  t.equal(await reasonOf(acme, { claims: { email }, ...right }), undefined, 'the same address');
  t.equal(await reasonOf(acme, right), undefined);
});

t.test('an address from a claim that people choose is not verified by the flag of another one', async (t) => {
  const domain = `${uniqueName('acme')}.example`;
  const names = { userName: 'preferred_username', email: 'preferred_username' };
  const acme = await makeConnected(service, provider, {
    ...{ creation: 'refuse', linking: { byDomain: true }, claims: names },
  });
  const { orgId, owner, path } = acme;
  await changeOrganization(container, { orgId, change: { domains: [domain] }, editor: testEditor });
  t.equal((await call(`PATCH ${path}`, { as: owner, body: { domains: [domain] } })).status, 200);
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const email = `boss@${domain}`;
  await makePerson(container, organization, { emails: [{ value: email, primary: true }] });
  const chosen = { preferred_username: email, email_verified: true };
  for (const more of [{}, { email: `thief@${domain}` }, { email: [email] }])
    t.equal(await reasonOf(acme, { claims: { ...chosen, ...more } }), 'unknownPerson', JSON.stringify(more));
  const rows = { values: [{ to: 'email', from: ['upn', 'email'], lowerCase: true }] };
  t.equal((await call(`PATCH ${path}`, { as: owner, body: { mapping: rows } })).status, 200);
  const upn = { upn: email, email: `thief@${domain}`, email_verified: true };
  t.equal(await reasonOf(acme, { claims: upn }), 'unknownPerson');
  const right = { email: email.toUpperCase(), email_verified: true };
  t.equal(await reasonOf(acme, { claims: right }), undefined, 'the claim of the flag');
});

t.test(
  'a sign-in that waits when the provider changes is judged by what the connection says then',
  async (t) => {
    const acme = await makeConnected(service, provider);
    const visitor = newVisitor(service);
    const address = await leaveFor(visitor, acme);
    await call(`PATCH ${acme.path}`, { as: acme.owner, body: { provider: { clientId: 'another-client' } } });
    const seen = await visitor.get(provider.authorize(address, { sub: 'x' }));
    t.equal((await refusedPage(visitor, seen)).status, 400);
  },
);
