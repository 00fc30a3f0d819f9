import t from 'tap';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { changeUser } from '#src/people/users/change-user.js';
import { unixSeconds } from '#src/platform/clock.js';
import { removeUser } from '#src/removal/remove-user.js';
import { until } from '../../../dev/until.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import {
  grantOf,
  makeApplication,
  makePerson,
  postForm,
  redeemCode,
  redirectUri,
} from '../../support/app/oauth-client.js';
import { buildTestApp, type Call, serve } from '../../support/app/test-app.js';
import { watchRedisCommands } from '../../support/stores/redis-commands.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
/** Another process. A change at one process is checked at the other. */
const elsewhere = await opened.openAnother();
const { call: there } = await serve(t, elsewhere);
const organization = await makeOrganization(container);
const client = await makeApplication(container, organization.id);

async function signIn(person: User) {
  const grant = { scope: 'openid profile email offline_access', authTime: clock.now() };
  const { body } = await redeemCode({ container, call }, { client, person, grant });
  const { access_token: token, refresh_token: refreshToken } = body;
  const introspect = async (where: Call) =>
    (await postForm(where, '/oauth/v2/introspect', { form: { token }, as: client.credentials })).body;
  // After these calls, each process holds the person in memory if it is going to.
  for (let warm = 0; warm < 3; warm++) for (const where of [call, there]) await introspect(where);
  return {
    token,
    introspect,
    refresh: () =>
      postForm(there, '/oauth/v2/token', {
        form: { grant_type: 'refresh_token', refresh_token: refreshToken },
        as: client.credentials,
      }),
  };
}

function change({ id }: User, differences: Partial<UserProfileInput>) {
  return changeUser(container, {
    organization,
    id,
    editor: testEditor,
    change: (profile) => ({ profile: { ...profile, ...differences } }),
  });
}

t.test('a change of a person is seen by the next request at every process', async (t) => {
  const person = await makePerson(container, organization);
  const { token, introspect } = await signIn(person);
  for (let n = 0; n < 20; n++) {
    const value = `anna${n}@example.org`;
    await change(person, { emails: [{ value, primary: true }], nickName: `n${n}` });
    t.match(await introspect(there), { active: true, email: value, nickname: `n${n}` });
    t.match((await there('GET /oidc/v1/userinfo', { as: { token } })).body, { email: value });
    t.match(await introspect(call), { active: true, email: value });
  }
});

t.test('so is the demand for another password, which changes when the person was changed', async (t) => {
  const person = await makePerson(container, organization);
  const { introspect } = await signIn(person);
  const before = await introspect(there);
  clock.advance(5);
  const earliest = unixSeconds(clock.now());
  await requirePasswordChange(container, { orgId: organization.id, id: person.id, editor: testEditor });
  const latest = unixSeconds(clock.now());
  const { updated_at } = await introspect(there);
  t.ok(updated_at > before.updated_at);
  t.ok(updated_at >= earliest && updated_at <= latest, 'it is the time of the change');
});

t.test('a deactivated or removed person has no token at any process', async (t) => {
  for (const end of [
    (person: User) => change(person, { active: false }),
    ({ id }: User) => removeUser(container, { orgId: organization.id, id, editor: testEditor }),
  ]) {
    const person = await makePerson(container, organization);
    const { introspect, token, refresh } = await signIn(person);
    t.equal((await introspect(there)).active, true);
    await end(person);
    for (const where of [there, call]) {
      t.same(await introspect(where), { active: false });
      t.equal((await where('GET /oidc/v1/userinfo', { as: { token } })).status, 401);
    }
    t.match((await refresh()).body, { error: 'invalid_grant' });
  }
});

t.test('ID tokens of a refresh tell the person as it is', async (t) => {
  const asserting = await makeApplication(container, organization.id, { idTokenUserinfoAssertion: true });
  const person = await makePerson(container, organization);
  const { body } = await redeemCode(
    { container, call: there },
    { client: asserting, person, grant: { scope: 'openid profile offline_access', authTime: clock.now() } },
  );
  await change(person, { nickName: 'Annie' });
  const refreshed = await postForm(there, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: body.refresh_token },
    as: asserting.credentials,
  });
  const [, payload = ''] = refreshed.body.id_token.split('.');
  t.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).nickname, 'Annie');
});

t.test('so do those of a code, wherever the person is held in memory as it was', async (t) => {
  const asserting = await makeApplication(container, organization.id, { idTokenUserinfoAssertion: true });
  const person = await makePerson(container, organization);
  const redeem = (where: Call) =>
    redeemCode(
      { container, call: where },
      { client: asserting, person, grant: { scope: 'openid profile offline_access', authTime: clock.now() } },
    );
  const nameIn = (idToken: string) =>
    JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()).nickname;
  for (const [where, { people }] of [
    [call, container],
    [there, elsewhere],
  ] as const) {
    await until(async () => {
      t.equal((await redeem(where)).status, 200);
      return people.held(organization.id, person.id) !== undefined;
    });
  }
  for (let n = 0; n < 5; n++) {
    await change(person, { nickName: `code${n}` });
    for (const where of [there, call]) {
      const { body } = await redeem(where);
      t.equal(nameIn(body.id_token), `code${n}`);
      t.match(body, { access_token: String, refresh_token: String });
    }
  }
  await change(person, { active: false });
  for (const where of [there, call]) t.match((await redeem(where)).body, { error: 'invalid_grant' });
});

t.test('a new password during a redemption invalidates its tokens', async (t) => {
  const person = await makePerson(container, organization);
  const redeem = () =>
    redeemCode(
      { container, call },
      { client, person, grant: { scope: 'openid offline_access', authTime: clock.now() } },
    );
  await until(async () => {
    t.equal((await redeem()).status, 200);
    return container.people.held(organization.id, person.id) !== undefined;
  });
  await change(person, { nickName: 'other than held' });
  const { stampOf } = container.revocations;
  t.teardown(() => {
    container.revocations.stampOf = stampOf;
  });
  container.revocations.stampOf = async (sub) => {
    const stamp = await stampOf(sub);
    clock.advance(1);
    await changeUser(container, {
      organization,
      id: person.id,
      editor: testEditor,
      change: (profile) => ({ profile, password: 'Another-Horse-8' }),
    });
    return stamp;
  };
  const answer = await redeem();
  t.match(answer, { status: 400, body: { error: 'invalid_grant' } });
  t.same(await container.mongo.db.collection('refreshFamilies').countDocuments({ userId: person.id }), 0);
});

t.test('a code of a person held in memory is redeemed in two round trips to Redis', async (t) => {
  const person = await makePerson(container, organization);
  const redeem = () => redeemCode({ container, call }, { client, person, grant: { authTime: clock.now() } });
  await until(async () => {
    t.equal((await redeem()).status, 200);
    return container.people.held(organization.id, person.id) !== undefined;
  });
  const code = await container.codes.issue({ ...grantOf(client, person), authTime: clock.now() });
  const redis = watchRedisCommands(container.redis);
  t.teardown(redis.stop);
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  t.equal((await postForm(call, '/oauth/v2/token', { form, as: client.credentials })).status, 200);
  t.same(redis.names, ['eval', 'mget'], 'the code, then whether anything was revoked or changed');
});
