import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, type OAuthClient, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  leaveFor,
  makeConnected,
  newVisitor,
} from '../../support/oidc/connected.js';

/** Tokens for which a client exchanged those of a sign-in by a connection (RFC 8693) end with the sign-in, and none is exchanged afterwards. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
await changeFeatures(container, { tokenExchange: true }, testEditor);

const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const types = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
};

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

const post = (client: OAuthClient, form: Record<string, string>) =>
  postForm(call, '/oauth/v2/token', { as: client.credentials, form });

const exchange = (client: OAuthClient, token: string, type: keyof typeof types) =>
  post(client, {
    ...{ grant_type: exchangeType, subject_token: token, subject_token_type: types[type] },
    ...(type === 'access' && { scope: 'openid offline_access' }),
  });

const refresh = (client: OAuthClient, token: string) =>
  post(client, { grant_type: 'refresh_token', refresh_token: token });

const isLive = async (token: string) =>
  (await call('GET /oidc/v1/userinfo', { as: { token } })).status === 200;

/** Signs anna in to an application by the connection. */
async function signIn(acme: Connected): Promise<{ client: OAuthClient; tokens: Tokens; userId: string }> {
  const client = await makeApplication(container, acme.orgId, {
    grantTypes: ['authorization_code', 'refresh_token', exchangeType],
  });
  const query = new URLSearchParams({
    ...{ client_id: client.id, redirect_uri: redirectUri, response_type: 'code', state: 's' },
    scope: 'openid offline_access',
  });
  const visitor = newVisitor(service);
  const page = await visitor.follow(await visitor.get(`/oauth/v2/authorize?${query}`));
  const address = await leaveFor(visitor, acme, page);
  const seen = await visitor.follow(await visitor.get(provider.authorize(address, { sub: 'anna' })));
  const code = new URL(seen.location ?? '').searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const { body, status } = await post(client, form);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  return { client, tokens: body, userId: list?.userId ?? '' };
}

/** Each way in which what began by a connection ends. */
const ends: Record<string, (acme: Connected, userId: string) => Promise<number>> = {
  'is switched off': async ({ path, owner }) =>
    (await call(`PATCH ${path}`, { as: owner, body: { enabled: false } })).status,
  'is removed': async ({ path, owner }) => (await call(`DELETE ${path}`, { as: owner })).status,
  async 'loses the identity'({ orgId, owner, connectionId }, userId) {
    const second = await addConnectionTo(service, { orgId, owner }, provider, { name: 'Second' });
    await linkIdentity(container, {
      ...{ orgId, userId, connectionId: second, subject: 'anna', rule: 'person', editor: testEditor },
    });
    const path = `/admin/v1/orgs/${orgId}/users/${userId}/identities/${connectionId}`;
    return (await call(`DELETE ${path}`, { as: owner })).status;
  },
  async 'gets a logout token'({ orgId, connectionId }) {
    const token = await provider.own.sign({
      ...{ aud: 'muster', jti: connectionId, sub: 'anna' },
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    const path = `/login/connections/${orgId}/${connectionId}/logout`;
    return (await newVisitor(service).post(path, { logout_token: token })).status;
  },
  async 'meets a role outside'(_acme, userId) {
    const away = await makeConnected(service, provider);
    await addMembership(container, {
      ...{ userId, role: 'ORG_USER_VIEWER', orgId: away.orgId, editor: testEditor },
    });
    return 200;
  },
};

for (const [what, end] of Object.entries(ends)) {
  t.test(`f. exchanged tokens end with the sign-in when its connection ${what}`, async (t) => {
    const acme = await makeConnected(service, provider);
    const { client, tokens, userId } = await signIn(acme);
    const byAccess = await exchange(client, tokens.access_token, 'access');
    t.equal(byAccess.status, 200, JSON.stringify(byAccess.body));
    const byId = await exchange(client, tokens.id_token, 'id');
    t.equal(byId.status, 200, JSON.stringify(byId.body));
    const again = await exchange(client, byAccess.body.access_token, 'access');
    const all = [byAccess, byId, again].map(({ body }) => String(body.access_token));
    for (const token of all) t.ok(await isLive(token));
    t.match(await end(acme, userId), /^20[04]$/);
    for (const token of all) t.notOk(await isLive(token), 'an exchanged token');
    t.equal((await refresh(client, byAccess.body.refresh_token)).status, 400);
    t.equal((await exchange(client, tokens.access_token, 'access')).status, 400);
    t.equal((await exchange(client, tokens.id_token, 'id')).status, 400);
    t.equal((await exchange(client, all[0] ?? '', 'access')).status, 400);
  });

  t.test(`f. an ID token of a refresh is of no use after its connection ${what}`, async (t) => {
    const acme = await makeConnected(service, provider);
    const { client, tokens, userId } = await signIn(acme);
    // The refresh token outlives the session that the ID token names.
    clock.advance(container.config.sessionAbsoluteSeconds + container.config.accessTokenSeconds + 60);
    const renewed = await refresh(client, tokens.refresh_token);
    t.equal(renewed.status, 200, JSON.stringify(renewed.body));
    const exchanged = await exchange(client, renewed.body.id_token, 'id');
    t.equal(exchanged.status, 200, JSON.stringify(exchanged.body));
    t.ok(await isLive(exchanged.body.access_token));
    // The list of sessions in Redis forgets them by the clock of the machine.
    for (const key of await container.redis.keys(`${container.config.redisPrefix}:connection-sessions:*`))
      await container.redis.del(key);
    t.match(await end(acme, userId), /^20[04]$/);
    t.equal((await refresh(client, renewed.body.refresh_token)).status, 400);
    t.equal((await exchange(client, renewed.body.id_token, 'id')).status, 400);
    t.notOk(await isLive(exchanged.body.access_token));
  });
}
