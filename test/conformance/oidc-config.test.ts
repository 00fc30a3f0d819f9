import { importJWK, type JWK } from 'jose';
import t from 'tap';
import type { Json } from '../../dev/stage/http-client.js';
import { makeCaller } from '../support/app/make.js';
import { startProvider } from '../support/oidc/relying-party.js';

// The checks of the Config OP profile of the OpenID Foundation's conformance suite.

const provider = await startProvider(t);
const { baseUrl, container, organization, clock, call } = provider;
const discover = () => fetch(`${baseUrl}/.well-known/openid-configuration`);

t.test('oidcc-discovery-endpoint-verification', async (t) => {
  const answer = await discover();
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^application\/json/);
  t.match(answer.headers.get('cache-control'), /max-age=300/);
  const document: Json = await answer.json();
  t.equal(document.issuer, baseUrl);
  const endpoints = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
  t.equal(endpoints.length, 7);
  for (const [name, address] of endpoints) {
    t.ok(String(address).startsWith(`${baseUrl}/`), name);
    const method = name === 'jwks_uri' ? 'GET' : 'POST';
    t.not((await fetch(String(address), { method })).status, 404, `${name} is there`);
  }
  t.match(document, {
    response_types_supported: ['code', 'id_token', 'id_token token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['public'],
    code_challenge_methods_supported: ['S256'],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  });
  const includes = (name: string, ...values: string[]) =>
    t.same(
      values.filter((value) => !document[name].includes(value)),
      [],
      name,
    );
  includes('id_token_signing_alg_values_supported', 'RS256');
  t.notOk(document.id_token_signing_alg_values_supported.includes('none'), 'oidcc-idtoken-unsigned');
  includes('scopes_supported', 'openid', 'profile', 'email', 'address', 'phone', 'offline_access');
  includes('grant_types_supported', 'authorization_code', 'implicit', 'refresh_token', 'client_credentials');
  includes('claims_supported', 'sub', 'iss', 'auth_time', 'acr', 'name', 'email', 'phone_number', 'address');
  includes(
    'token_endpoint_auth_methods_supported',
    ...['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  );
  t.same(document.introspection_endpoint_auth_methods_supported, [
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
  ]);
  includes('prompt_values_supported', 'none', 'login', 'select_account', 'create');
  includes('ui_locales_supported', 'en');
});

t.test('oidcc-discovery-jwks-uri', async (t) => {
  const answer = await fetch(`${baseUrl}/oauth/v2/keys`);
  t.equal(answer.status, 200);
  t.match(answer.headers.get('cache-control'), /max-age=300/);
  const { keys } = (await answer.json()) as { keys: JWK[] };
  t.ok(keys.length >= 2, 'the key that signs, and the next one already');
  t.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length, 'each has its own kid');
  for (const key of keys) {
    t.match(key, { kid: /./, use: 'sig', alg: /^(RS256|ES256|EdDSA)$/ });
    if (key.kty === 'RSA') t.ok(Buffer.from(key.n ?? '', 'base64url').length >= 256, 'at least 2048 bits');
    const secrets = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].filter((name) => name in key);
    t.same(secrets, [], 'no private part');
    await t.resolves(importJWK(key));
  }
});

t.test('oidcc-server-rotate-keys', async (t) => {
  const rp = await provider.newClient();
  const owner = await makeCaller(container, organization.id, ['IAM_OWNER']);
  const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid;
  const before = (await rp.getTokens(provider.newAgent())).body.id_token;
  const known = ((await (await fetch(`${baseUrl}/oauth/v2/keys`)).json()) as { keys: JWK[] }).keys;
  clock.advance(3600);
  const rotated = await call('POST /admin/v1/signing-keys/_rotate', { as: owner, body: {} });
  t.equal(rotated.status, 200);
  const after = (await rp.getTokens(provider.newAgent())).body.id_token;
  t.not(kidOf(after), kidOf(before));
  t.ok(
    known.some(({ kid }) => kid === kidOf(after)),
    'clients knew the key before it signed',
  );
  await t.resolves(rp.readIdToken(after));
  await t.resolves(rp.readIdToken(before), 'what the old key signed holds on');
});
