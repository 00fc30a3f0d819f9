import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { tokenExchangeType } from '#src/clients/applications/application-settings.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { makeOrganization, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, type OAuthClient, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, visit } from '../../support/oidc/visitor.js';
import { optionsIn } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const { container, app, call, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const orgId = home.id;
const { origin } = new URL(container.config.baseUrl);

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });

async function signedIn({ userName: loginName }: User) {
  const visitor = newVisitor();
  await visitor.fill(await visitor.get('/login'), { loginName, password: goodPassword }, '/login');
  return visitor;
}

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

const authorize = (clientId: string, more = {}) =>
  `/oauth/v2/authorize?${new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid offline_access', ...more })}`;
const parametersOf = ({ location = '' }: Seen) =>
  location.startsWith(redirectUri) ? new URL(location).searchParams : new URLSearchParams();
const isAnswered = (seen: Seen) => parametersOf(seen).has('code');

/** Redeems the code of an answer. */
const redeem = (client: OAuthClient, answer: Seen) =>
  postForm(call, '/oauth/v2/token', {
    form: {
      grant_type: 'authorization_code',
      code: parametersOf(answer).get('code') ?? '',
      redirect_uri: redirectUri,
    },
    as: client.credentials,
  });

const refresh = (client: OAuthClient, token: string) =>
  postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: token },
    as: client.credentials,
  });

async function groupOf(...people: User[]) {
  const members = new Set(people.map(({ id }) => id));
  const profile = { displayName: uniqueName('Group') };
  return (await addGroup(container, { orgId, profile, members, editor: testEditor })).id;
}

const leave = (groupId: string, { id }: User) =>
  changeGroup(container, {
    ...{ orgId, id: groupId, editor: testEditor },
    delta: { from: 'current', added: new Set(), removed: new Set([id]) },
  });

t.test('an application demands a level of every sign-in to it', async (t) => {
  const plain = await makeApplication(container, orgId);
  const strict = await makeApplication(container, orgId, { acr: '2' });
  const person = await makePerson(container, home);
  const secret = await giveTotp(container, person);
  clock.advance(1);
  // A session with the password alone, at a time when nobody asked for more.
  const other = await makePerson(container, home);
  const visitor = await signedIn(other);
  t.ok(isAnswered(await visitor.get(authorize(plain.id))));
  t.match((await visitor.get(authorize(strict.id, { prompt: 'none' }))).location, /error=login_required/);
  const page = await visitor.follow(await visitor.get(authorize(strict.id)));
  t.match(page.url, /^\/login\?/, 'somebody else may have what is missing');
  const again = await visitor.fill(page, { loginName: other.userName, password: goodPassword }, '/login');
  const refused = await visitor.get(again.location ?? '');
  t.match(refused.location, /error=unmet_authentication_requirements/);

  const own = newVisitor();
  const login = await own.follow(await own.get(authorize(strict.id)));
  const code = await own.follow(
    await own.fill(login, { loginName: person.userName, password: goodPassword }, '/login'),
  );
  t.match(code.url, /^\/login\/code/);
  const done = await own.fill(code, { code: nextCode(secret) }, '/login/code');
  t.ok(isAnswered(await own.get(done.location ?? '')));
});

t.test('the stricter of the application and the organization holds', async (t) => {
  const strict = await makeApplication(container, orgId, { acr: 'phr' });
  const person = await makePerson(container, home);
  const secret = await giveTotp(container, person);
  clock.advance(1);
  const key = await enrolPasskey(container, person);
  const policy: SignInPolicy = { demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] };
  await changeOrganization(container, { orgId, change: { signInPolicy: policy }, editor: testEditor });
  t.teardown(() =>
    changeOrganization(container, { orgId, change: { signInPolicy: {} }, editor: testEditor }),
  );
  const visitor = newVisitor();
  const login = await visitor.follow(await visitor.get(authorize(strict.id)));
  const fields = { loginName: person.userName, password: goodPassword };
  const code = await visitor.follow(await visitor.fill(login, fields, '/login'));
  t.match(code.url, /^\/login\/code/);
  const next = await visitor.follow(await visitor.fill(code, { code: nextCode(secret) }, '/login/code'));
  t.match(next.url, /^\/login\/second-passkey/, 'a code is not enough');
  t.match(next.text, new RegExp(`${strict.application.name} asks for`));
  const response = key.get(optionsIn(next.text, 'get'), origin);
  const done = await visitor.fill(next, { response }, '/login/second-passkey');
  const answer = await visitor.get(done.location ?? '');
  t.ok(isAnswered(answer));
  const { body } = await redeem(strict, answer);
  const [, payload = ''] = body.id_token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  t.equal(claims.acr, 'phr', 'an application that demands a level is told of it');
});

t.test('a refresh token of a weaker sign-in ends once the application demands more', async (t) => {
  const client = await makeApplication(container, orgId);
  const person = await makePerson(container, home);
  const visitor = await signedIn(person);
  const answer = await visitor.get(authorize(client.id));
  const { body } = await redeem(client, answer);
  const first = await refresh(client, body.refresh_token);
  t.equal(first.status, 200);
  const target = { orgId, id: client.id, editor: testEditor };
  await changeApplication(container, target, { acr: '2' });
  t.match(await refresh(client, first.body.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
  await changeApplication(container, target, { acr: null });
  t.match(await refresh(client, first.body.refresh_token), { status: 400 }, 'it ended for good');
});

t.test('only members of the named groups use the application', async (t) => {
  const [member, stranger] = [await makePerson(container, home), await makePerson(container, home)];
  const groups = [await groupOf(), await groupOf(member)];
  const client = await makeApplication(container, orgId, { allowedGroups: groups });
  t.ok(isAnswered(await (await signedIn(member)).get(authorize(client.id))));
  const visitor = await signedIn(stranger);
  const page = await visitor.get(authorize(client.id, { state: 'here' }));
  t.match(page, { status: 403, text: /in none of the groups that may use/ });
  t.match(page.text, new RegExp(stranger.userName));
  const [, back = ''] = /href="([^"]*error=access_denied[^"]*)"/.exec(page.text) ?? [];
  t.match(back.replaceAll('&amp;', '&'), /[?&]state=here/, 'the application is told');
  t.match(back, /iss=/);
  const silent = await visitor.get(authorize(client.id, { prompt: 'none' }));
  t.match(parametersOf(silent).get('error'), 'access_denied');
  // Another person goes on with the request.
  const [, other = ''] = /href="([^"]*\/login\/select[^"]*)"/.exec(page.text) ?? [];
  const select = await visitor.get(other.replaceAll('&amp;', '&'));
  t.match(select.text, /Use another account/);
  await leave(groups[1] ?? '', member);
  t.match(await (await signedIn(member)).get(authorize(client.id)), { status: 403 });
});

t.test('a refresh ends once the person has left all of the groups', async (t) => {
  const person = await makePerson(container, home);
  const groups = [await groupOf(person), await groupOf(person)];
  const client = await makeApplication(container, orgId, { allowedGroups: groups });
  const visitor = await signedIn(person);
  const answer = await visitor.get(authorize(client.id));
  const { body } = await redeem(client, answer);
  const first = await refresh(client, body.refresh_token);
  await leave(groups[0] ?? '', person);
  const second = await refresh(client, first.body.refresh_token);
  t.equal(second.status, 200, 'one is enough');
  await leave(groups[1] ?? '', person);
  t.match(await refresh(client, second.body.refresh_token), {
    status: 400,
    body: { error: 'invalid_grant' },
  });
});

t.test('who has left the groups gets no token by exchange, and no refresh of one', async (t) => {
  await changeFeatures(container, { tokenExchange: true }, testEditor);
  const person = await makePerson(container, home);
  const group = await groupOf(person);
  const grantTypes = ['authorization_code', 'refresh_token', tokenExchangeType] as const;
  const client = await makeApplication(container, orgId, { allowedGroups: [group], grantTypes });
  const visitor = await signedIn(person);
  const { body } = await redeem(client, await visitor.get(authorize(client.id)));
  const exchange = () =>
    postForm(call, '/oauth/v2/token', {
      form: {
        grant_type: tokenExchangeType,
        subject_token: body.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      },
      as: client.credentials,
    });
  const exchanged = await exchange();
  t.equal(exchanged.status, 200);
  await leave(group, person);
  t.match(await exchange(), { status: 400, body: { error: 'invalid_request' } });
  t.match(await refresh(client, exchanged.body.refresh_token), {
    status: 400,
    body: { error: 'invalid_grant' },
  });
});

t.test('an application without groups reads none, at a sign-in and at tokens', async (t) => {
  const person = await makePerson(container, home);
  const [open, closed] = [
    await makeApplication(container, orgId),
    await makeApplication(container, orgId, { allowedGroups: [await groupOf(person)] }),
  ];
  const { existing } = container.groupMembers;
  let reads = 0;
  Object.assign(container.groupMembers, {
    existing: (...asked: Parameters<typeof existing>) => {
      if (asked[1].length > 0) reads++;
      return existing(...asked);
    },
  });
  t.teardown(() => Object.assign(container.groupMembers, { existing }));
  const visitor = await signedIn(person);
  for (const [client, expected] of [
    [open, 0],
    [closed, 1],
  ] as const) {
    reads = 0;
    const answer = await visitor.get(authorize(client.id));
    t.equal(reads, expected, 'at the sign-in');
    await redeem(client, answer);
    t.equal(reads, expected, 'none for a code');
  }
});

t.test('groups of another organization admit nobody', async (t) => {
  const foreign = await makeOrganization(container);
  const person = await makePerson(container, home);
  const theirs = await addGroup(container, {
    ...{ orgId: foreign.id, profile: { displayName: uniqueName('Group') }, members: new Set<string>() },
    editor: testEditor,
  });
  await t.rejects(
    makeApplication(container, orgId, { allowedGroups: [theirs.id] }),
    /no group of the organization/,
  );
  const own = await groupOf(person);
  const client = await makeApplication(container, orgId, { allowedGroups: [own], orgOnly: false });
  const stranger = await makePerson(container, foreign);
  const visitor = await signedIn(stranger);
  t.match(await visitor.get(authorize(client.id)), { status: 403 });
});
