import { createPrivateKey } from 'node:crypto';
import { decodeJwt, type JWK } from 'jose';
import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { addClientKey } from '#src/clients/change-credentials/client-keys.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { signingAlgorithms, spreadMs } from '#src/keys/signing-key.js';
import { newId } from '#src/platform/ids.js';
import { testEditor as editor, makeCaller, makeOrganization, uniqueName } from '../../support/app/make.js';
import { makeApplication, makePerson, postForm, redeemCode } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { Browser } from '../../support/oidc/browser.js';
import { forgedJwts, type Signer, signJwt } from '../../support/oidc/forged-jwts.js';

/** Wherever a JWT proves something, neither its header nor its form chooses how its signature is checked, or by which key. */

const { app, container, call, clock } = await buildTestApp(t, {
  rateLimitRefused: 0,
  rateLimitPerAddress: 0,
});
const { baseUrl } = container.config;
const organization = await makeOrganization(container);
const { id: orgId } = organization;
const owner = await makeCaller(container, orgId, ['IAM_OWNER']);
const person = await makePerson(container, organization);
const support = await makePerson(container, organization);
await addMembership(container, { userId: support.id, role: 'IMPERSONATOR', orgId, editor });
const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const { status: enabled } = await call('PATCH /admin/v1/features', {
  as: owner,
  body: { tokenExchange: true },
});
if (enabled >= 300) throw new Error(`Token exchange stays off: ${enabled}`);
const tokenType = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;

const now = () => Math.floor(clock.now().getTime() / 1000);
const assertionClaims = (id: string, more: object = {}) => ({
  iss: id,
  sub: id,
  aud: baseUrl,
  iat: now(),
  exp: now() + 60,
  jti: newId(),
  ...more,
});

const kinds = ['ES256', 'EdDSA', 'RS256'] as const;

/** Makes a pair for a client. */
async function addPair(
  kind: 'application' | 'serviceUser',
  id: string,
  algorithm: (typeof kinds)[number],
): Promise<Signer> {
  const { privateJwk } = await addClientKey(container, { kind, orgId, id, editor }, { algorithm });
  return signerOf(privateJwk ?? {}, algorithm);
}

function signerOf(jwk: JWK, alg: string): Signer {
  return { alg, kid: jwk.kid ?? '', privateKey: createPrivateKey({ key: { ...jwk }, format: 'jwk' }) };
}

/** The attacker is a client too, with keys of all kinds of its own. */
const attacker = await makeApplication(container, orgId, { authMethod: 'private_key_jwt' });
const attackersKeys: Signer[] = [];
for (const kind of kinds) attackersKeys.push(await addPair('application', attacker.id, kind));
const attackersKids = attackersKeys.map(({ kid }) => kid);

/** An application whose tokens the attacker imitates. */
const bye = 'https://client.example/bye';
const client = await makeApplication(container, orgId, {
  accessTokenType: 'jwt',
  grantTypes: ['authorization_code', grantType],
  postLogoutRedirectUris: [bye],
});
const tokens = await redeemCode({ container, call }, { client, person, grant: { authTime: clock.now() } });
const accessToken = decodeJwt(tokens.body.access_token);

for (const algorithm of kinds) {
  t.test(`private_key_jwt of an application with a key for ${algorithm}`, async (t) => {
    const client = await makeApplication(container, orgId, { authMethod: 'private_key_jwt' });
    const signer = await addPair('application', client.id, algorithm);
    const send = (assertion: string) =>
      postForm(call, '/oauth/v2/revoke', {
        form: {
          token: 'x',
          client_assertion: assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
      });
    const claims = () => assertionClaims(client.id);
    t.equal((await send(signJwt(signer.privateKey, signer, claims()))).status, 200, 'the honest one');
    for (const [name, jwt] of Object.entries(forgedJwts(signer, claims, { otherKids: attackersKids })))
      t.match(await send(jwt), { status: 401, body: { error: 'invalid_client' } }, name);
    for (const { kid, alg, privateKey } of attackersKeys)
      t.equal(
        (await send(signJwt(privateKey, { alg, kid }, claims()))).status,
        401,
        `the attacker's own key for ${alg}`,
      );
  });

  t.test(`the JWT profile grant of a service user with a key for ${algorithm}`, async (t) => {
    const { id } = await addServiceUser(container, { orgId, userName: uniqueName('robot'), editor });
    const signer = await addPair('serviceUser', id, algorithm);
    const send = (assertion: string) =>
      postForm(call, '/oauth/v2/token', {
        form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
      });
    const claims = () => assertionClaims(id);
    t.equal((await send(signJwt(signer.privateKey, signer, claims()))).status, 200, 'the honest one');
    for (const [name, jwt] of Object.entries(forgedJwts(signer, claims, { otherKids: attackersKids })))
      t.match(await send(jwt), { status: 400, body: { error: /^invalid_(grant|request)$/ } }, name);
  });

  t.test(`a JWT of a client with a key for ${algorithm} as the subject of an exchange`, async (t) => {
    const client = await makeApplication(container, orgId, { grantTypes: ['authorization_code', grantType] });
    const signer = await addPair('application', client.id, algorithm);
    const { body } = await redeemCode(
      { container, call },
      { client, person: support, grant: { authTime: clock.now() } },
    );
    const send = (subject: string) =>
      postForm(call, '/oauth/v2/token', {
        form: {
          grant_type: grantType,
          subject_token: subject,
          subject_token_type: tokenType('jwt'),
          actor_token: body.access_token,
          actor_token_type: tokenType('access_token'),
        },
        as: client.credentials,
      });
    const claims = () => assertionClaims(client.id, { sub: person.id });
    t.equal((await send(signJwt(signer.privateKey, signer, claims()))).status, 200, 'the honest one');
    for (const [name, jwt] of Object.entries(forgedJwts(signer, claims, { otherKids: attackersKids })))
      t.match(await send(jwt), { status: 400, body: { error: 'invalid_request' } }, name);
  });
}

for (const algorithm of signingAlgorithms) {
  t.test(`tokens of this service, signed with ${algorithm}`, async (t) => {
    await container.signingKeys.publish(algorithm);
    clock.advance(spreadMs / 1000);
    const { kid, alg, privateKey } = await container.signingKeys.active({ wanted: algorithm });
    const signer = { kid, alg, privateKey };
    const keys = await container.signingKeys.publicJwks();
    const otherKids = [
      ...keys.flatMap((jwk) => (jwk.alg === algorithm ? [] : (jwk.kid ?? []))),
      ...attackersKids,
    ];
    const browser = new Browser(app);
    await browser.signIn(container, person);
    const [session] = await container.sessions.ofAgent(browser.agentHash);
    const claims = {
      id_token: () => ({
        iss: baseUrl,
        sub: person.id,
        aud: client.id,
        azp: client.id,
        sid: session?.id,
        iat: now(),
        exp: now() + 60,
        auth_time: now(),
        amr: ['pwd'],
      }),
      access_token: () => ({ ...accessToken, iat: now(), exp: now() + 60 }),
    };
    const exchange = (subject: string, type: keyof typeof claims) =>
      postForm(call, '/oauth/v2/token', {
        form: { grant_type: grantType, subject_token: subject, subject_token_type: tokenType(type) },
        as: client.credentials,
      });
    const bearer = async (token: string) => (await call('GET /oidc/v1/userinfo', { as: { token } })).status;
    const ask = (hint: string) =>
      browser.get('/oidc/v1/end_session', {
        id_token_hint: hint,
        client_id: client.id,
        post_logout_redirect_uri: bye,
      });

    for (const [type, typ] of [
      ['id_token', 'JWT'],
      ['access_token', 'at+jwt'],
    ] as const) {
      const honest = signJwt(privateKey, { typ, alg, kid }, claims[type]());
      t.equal((await exchange(honest, type)).status, 200, `an honest ${type}`);
      if (type === 'access_token') t.equal(await bearer(honest), 200, 'an honest bearer token');
      for (const [name, jwt] of Object.entries(forgedJwts(signer, claims[type], { otherKids, typ }))) {
        t.match(
          await exchange(jwt, type),
          { status: 400, body: { error: 'invalid_request' } },
          `${type}: ${name}`,
        );
        t.equal(await bearer(jwt), 401, `bearer token: ${name}`);
        if (type === 'access_token') continue;
        // A hint that counts ends the session without a question.
        const seen = await ask(jwt);
        t.notOk(seen.headers['location']?.toString().startsWith(bye), `hint: ${name}`);
      }
    }
    t.equal((await container.sessions.ofAgent(browser.agentHash)).length, 1);
    await ask(signJwt(privateKey, { typ: 'JWT', alg, kid }, claims.id_token()));
    t.same(await container.sessions.ofAgent(browser.agentHash), [], 'an honest hint ends the session');
  });
}
