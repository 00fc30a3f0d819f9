import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { newSecret } from '#src/platform/ids.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import {
  makeApplication,
  makePerson,
  makeServiceClient,
  type OAuthClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** What a sign-in is good for that is weaker than the organization or an application demands, at every place that takes a token of it. */

const { container, call, clock } = await buildTestApp(t);
const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const grantTypes = ['authorization_code', 'refresh_token', exchangeType] as const;
const types = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
  user: 'urn:service:params:oauth:token-type:user_id',
};
await changeFeatures(container, { tokenExchange: true }, testEditor);

const password: Proof = { kind: 'password' };
const code: Proof = { kind: 'code' };
const passkey: Proof = { kind: 'passkey', credentialId: 'a', userVerified: true, isSynced: false };
const demand = (acr: '2' | 'phr'): SignInPolicy => ({
  demands: [{ of: 'everybody', acr, from: '2020-01-01' }],
});

async function setting() {
  const home = await makeOrganization(container);
  // Applications of one project take the tokens of each other.
  const settings = { grantTypes: [...grantTypes], projectId: `project-of-${home.id}` };
  const client = await makeApplication(container, home.id, settings);
  const person = await makePerson(container, home);
  const change = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: () => ({ signInPolicy }), editor: testEditor });
  return { home, settings, client, person, change };
}

/** The tokens of a person who has proved this in a session. */
async function tokensOf(client: OAuthClient, person: User, proofs: readonly Proof[], scope = 'openid') {
  const { id: userId, orgId, userName, displayName } = person;
  const agent = hashSecret(newSecret());
  const session = await container.sessions.signIn(agent, { userId, orgId, userName, displayName, proofs });
  const grant = {
    ...{ scope, sessionId: session.id, authTime: session.authTime, amr: [] },
    proofs: session.proofs,
  };
  const { body } = await redeemCode({ container, call }, { client, person, grant });
  return { session, access: body.access_token, id: body.id_token, refresh: body.refresh_token };
}

const exchange = (client: OAuthClient, form: Record<string, string>) =>
  postForm(call, '/oauth/v2/token', { form: { grant_type: exchangeType, ...form }, as: client.credentials });
const exchangeAccess = (client: OAuthClient, token: string, more: Record<string, string> = {}) =>
  exchange(client, { subject_token: token, subject_token_type: types.access, ...more });

const granted = { status: 200 };
const tooWeak = {
  status: 400,
  body: { error: 'invalid_request', error_description: /^insufficient_user_authentication: / },
};

t.test(
  'an exchange asks for what the organization demands, and counts what the session proved',
  async (t) => {
    const cases: { proofs: Proof[]; policy: SignInPolicy; expected: object }[] = [
      { proofs: [password], policy: {}, expected: granted },
      { proofs: [password], policy: demand('2'), expected: tooWeak },
      { proofs: [password, code], policy: demand('2'), expected: granted },
      { proofs: [password, code], policy: demand('phr'), expected: tooWeak },
      { proofs: [passkey], policy: demand('phr'), expected: granted },
      { proofs: [password], policy: { firstFactors: ['passkey'] }, expected: tooWeak },
      { proofs: [passkey], policy: { firstFactors: ['passkey'] }, expected: granted },
      {
        proofs: [password, code],
        policy: { ...demand('2'), secondFactors: ['passkey'] },
        expected: tooWeak,
      },
    ];
    for (const { proofs, policy, expected } of cases) {
      const { client, person, change } = await setting();
      const { access, id } = await tokensOf(client, person, proofs);
      await change(policy);
      const name = `${proofs.map(({ kind }) => kind).join(' and ')} under ${JSON.stringify(policy)}`;
      t.match(await exchangeAccess(client, access), expected, name);
      const ofIdToken = await exchange(client, { subject_token: id, subject_token_type: types.id });
      t.match(ofIdToken, expected, `the ID token: ${name}`);
    }
  },
);

t.test('an exchange asks for the level of the application that exchanges', async (t) => {
  const { home, settings, client, person } = await setting();
  const strict = await makeApplication(container, home.id, { ...settings, acr: '2' });
  const weak = await tokensOf(client, person, [password]);
  const refused = await exchangeAccess(strict, weak.access);
  t.match(refused, tooWeak);
  t.match(refused.body.error_description, /acr_values=2/, 'the client learns what to ask for');
  t.match(await exchangeAccess(client, weak.access), granted, 'the other application demands nothing');
  const strong = await tokensOf(client, person, [password, code]);
  t.match(await exchangeAccess(strict, strong.access), granted);
  const mailed = await tokensOf(client, person, [password, { kind: 'mailCode' }]);
  t.match(await exchangeAccess(strict, mailed.access), tooWeak, 'mail counts for no application');
});

t.test('a demand on people with a role meets only them', async (t) => {
  const { home, client, person, change } = await setting();
  const owner = await makePerson(container, home);
  await addMembership(container, {
    ...{ userId: owner.id, role: 'ORG_OWNER', orgId: home.id },
    editor: testEditor,
  });
  const [ofPerson, ofOwner] = [
    await tokensOf(client, person, [password]),
    await tokensOf(client, owner, [password]),
  ];
  await change({ demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] });
  t.match(await exchangeAccess(client, ofPerson.access), granted);
  t.match(await exchangeAccess(client, ofOwner.access), tooWeak);
});

t.test('a token of a sign-in of which nothing is known reaches no level', async (t) => {
  const { client, person, change } = await setting();
  const grant = { scope: 'openid', authTime: clock.now() };
  const { body } = await redeemCode({ container, call }, { client, person, grant });
  t.match(await exchangeAccess(client, body.access_token), granted, 'nothing is demanded');
  await change(demand('2'));
  t.match(await exchangeAccess(client, body.access_token), tooWeak);
});

t.test('a refresh token that outlived its session still tells what was proved', async (t) => {
  for (const { proofs, expected } of [
    { proofs: [password], expected: tooWeak },
    { proofs: [password, code], expected: granted },
  ]) {
    const { client, person, change } = await setting();
    const timed = proofs.map((proof) => ({ ...proof, time: clock.now().getTime() }));
    const grant = { scope: 'openid offline_access', authTime: clock.now(), amr: [], proofs: timed };
    const { body } = await redeemCode({ container, call }, { client, person, grant });
    await change(demand('2'));
    t.match(await exchangeAccess(client, body.access_token), expected);
  }
});

t.test('the tokens of an exchange are as strong as the sign-in behind them', async (t) => {
  const offline = { scope: 'openid offline_access' };
  const { client, person, change } = await setting();
  await change(demand('2'));
  const { access, session } = await tokensOf(client, person, [password, code], offline.scope);
  const first = await exchangeAccess(client, access, offline);
  t.match(first, granted);
  t.match(await exchangeAccess(client, first.body.access_token), granted, 'an exchange of an exchange');
  const refresh = (refresh_token: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token },
      as: client.credentials,
    });
  const renewed = await refresh(first.body.refresh_token);
  t.match(renewed, granted, 'a strong sign-in is refreshed, although the exchanged token tells no methods');
  await change(demand('phr'));
  t.match(await exchangeAccess(client, first.body.access_token), tooWeak);
  t.match(await refresh(renewed.body.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
  await change(demand('2'));
  t.match(
    await refresh(renewed.body.refresh_token),
    { status: 400, body: { error: 'invalid_grant' } },
    'the family ended for good',
  );
  await container.sessions.end(person.id, session.id);
  t.match(await exchangeAccess(client, access), { status: 400, body: { error: 'invalid_request' } });
});

t.test('who acts as another has proved what the own organization demands', async (t) => {
  const { home, client, person, change } = await setting();
  const actor = await makePerson(container, home);
  await addMembership(container, {
    ...{ userId: actor.id, role: 'IMPERSONATOR', orgId: home.id },
    editor: testEditor,
  });
  const weak = await tokensOf(client, actor, [password]);
  const strong = await tokensOf(client, actor, [password, code]);
  await change(demand('2'));
  const act = (actor_token: string) =>
    exchange(client, {
      ...{ subject_token: person.id, subject_token_type: types.user },
      ...{ actor_token, actor_token_type: types.access },
    });
  t.match(await act(weak.access), tooWeak);
  let again = await act(strong.access);
  t.match(again, granted, 'the person who is only named did not sign in');
  for (const name of ['a second', 'a third', 'a fourth']) {
    again = await exchangeAccess(client, again.body.access_token);
    t.match(again, granted, `nor does ${name} exchange make it a sign-in`);
  }
  await change(demand('phr'));
  t.match(await exchangeAccess(client, again.body.access_token), tooWeak, 'the actor is weighed each time');
});

t.test('an ID token of an exchange for a named person can be exchanged too', async (t) => {
  const { home, client, person, change } = await setting();
  const actor = await makePerson(container, home);
  await addMembership(container, {
    ...{ userId: actor.id, role: 'IMPERSONATOR', orgId: home.id },
    editor: testEditor,
  });
  const strong = await tokensOf(client, actor, [password, code]);
  await change(demand('2'));
  const { body } = await exchange(client, {
    ...{ subject_token: person.id, subject_token_type: types.user, requested_token_type: types.id },
    ...{ actor_token: strong.access, actor_token_type: types.access, scope: 'openid' },
  });
  const ofIdToken = () =>
    exchange(client, { subject_token: body.access_token, subject_token_type: types.id });
  t.match(await ofIdToken(), granted);
  await change(demand('phr'));
  t.match(await ofIdToken(), tooWeak);
});

t.test('a refusal names the level of the application only if that one is not reached', async (t) => {
  const { home, settings, person, change } = await setting();
  const strict = await makeApplication(container, home.id, { ...settings, acr: '2' });
  const { access } = await tokensOf(strict, person, [password, code]);
  await change(demand('phr'));
  const ofPolicy = await exchangeAccess(strict, access);
  t.match(ofPolicy, tooWeak);
  t.notMatch(ofPolicy.body.error_description, /acr_values/, 'the application would ask for the same again');
  await change({ firstFactors: ['passkey'] });
  const ofPassword = await exchangeAccess(strict, access);
  t.match(ofPassword, tooWeak);
  t.notMatch(ofPassword.body.error_description, /acr_values/);
});

/** Every other place that takes a token, and what it says to one of a sign-in that has become too weak. */
t.test('the other places that take tokens', async (t) => {
  const { home, client, person, change } = await setting();
  const { access, refresh } = await tokensOf(client, person, [password], 'openid offline_access');
  const machine = await makeServiceClient(container, home.id);
  const { token } = await makeCaller(container, home.id, ['ORG_USER_VIEWER']);
  await change(demand('2'));
  const tokenRequest = (form: Record<string, string>, as: OAuthClient['credentials']) =>
    postForm(call, '/oauth/v2/token', { form, as });
  const places: Record<string, { answer: { status: number }; status: number; why: string }> = {
    'token exchange': {
      answer: await exchangeAccess(client, access),
      ...{ status: 400, why: 'it makes new tokens' },
    },
    'refresh token': {
      answer: await tokenRequest({ grant_type: 'refresh_token', refresh_token: refresh }, client.credentials),
      ...{ status: 400, why: 'it makes new tokens' },
    },
    userinfo: {
      answer: await call('GET /oidc/v1/userinfo', { as: { token: access } }),
      ...{ status: 401, why: 'the refused refresh ended the family of the access token' },
    },
    'client credentials': {
      answer: await tokenRequest({ grant_type: 'client_credentials', scope: 'openid' }, machine.credentials),
      ...{ status: 200, why: 'service users do not sign in' },
    },
    'personal access token': {
      answer: await call(`GET /scim/v2/${home.id}/Users`, { as: { token } }),
      ...{ status: 200, why: 'service users do not sign in' },
    },
  };
  for (const [place, { answer, status, why }] of Object.entries(places))
    t.equal(answer.status, status, `${place}: ${why}`);
  const other = await tokensOf(client, person, [password]);
  t.equal(
    (await call('GET /oidc/v1/userinfo', { as: { token: other.access } })).status,
    200,
    'an access token that exists is valid until it expires',
  );
});
