import { decodeJwt } from 'jose';
import t from 'tap';
import { newId } from '#src/platform/ids.js';
import { makeOrganization } from '../../support/app/make.js';
import {
  type Credentials,
  grantOf,
  makeApplication,
  makePerson,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const organization = await makeOrganization(container);
const web = await makeApplication(container, organization.id);
const person = await makePerson(container, organization);
const scope = 'openid profile email offline_access';

function refresh(refreshToken: string, form: Record<string, string> = {}, as: Credentials = web.credentials) {
  return postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: refreshToken, ...form },
    as,
  });
}

async function signIn(differences = {}, client = web) {
  const grant = { scope, authTime: clock.now(), ...differences };
  return (await redeemCode({ container, call }, { client, person, grant })).body;
}

async function activity(token: string): Promise<boolean> {
  return (await postForm(call, '/oauth/v2/introspect', { form: { token }, as: web.credentials })).body.active;
}

t.test('each use gives a new refresh token, access token and ID token of the same sign-in', async (t) => {
  const sessionId = newId();
  const first = await signIn({ sessionId, nonce: 'n' });
  const { status, headers, body } = await refresh(first.refresh_token);
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'no-store');
  t.match(body, { token_type: 'Bearer', expires_in: 43_200, scope });
  t.not(body.refresh_token, first.refresh_token);
  const before = decodeJwt(first.id_token);
  const after = decodeJwt(body.id_token);
  for (const claim of ['iss', 'sub', 'aud', 'azp', 'auth_time', 'sid'])
    t.same(after[claim], before[claim], claim);
  t.notOk('nonce' in after);
  t.equal((await refresh(body.refresh_token)).status, 200);
});

t.test('a scope may be narrower, never wider, and the next refresh has all of it again', async (t) => {
  const first = await signIn();
  const narrow = await refresh(first.refresh_token, { scope: 'email openid' });
  t.equal(narrow.body.scope, 'email openid');
  const plain = await refresh(narrow.body.refresh_token, { scope: 'email' });
  t.notOk('id_token' in plain.body, 'without openid no ID token');
  const wide = await refresh(plain.body.refresh_token, { scope: 'openid phone' });
  t.match(wide, { status: 400, body: { error: 'invalid_scope' } });
  t.equal((await refresh(plain.body.refresh_token)).body.scope, scope, 'the refusal used nothing up');
});

t.test('an old token used again ends the family with everything it issued', async (t) => {
  const first = await signIn();
  const second = (await refresh(first.refresh_token)).body;
  clock.advance(31);
  t.match(await refresh(first.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
  t.match(await refresh(second.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
  t.equal(await activity(first.access_token), false);
  t.equal(await activity(second.access_token), false);
});

t.test('a token two generations old is reuse even within the grace time', async (t) => {
  const first = await signIn();
  const second = (await refresh(first.refresh_token)).body;
  const third = (await refresh(second.refresh_token)).body;
  t.equal((await refresh(first.refresh_token)).body.error, 'invalid_grant');
  t.equal((await refresh(third.refresh_token)).body.error, 'invalid_grant');
});

t.test('a client that lost the answer gets the same successor within the grace time', async (t) => {
  const first = await signIn();
  const lost = (await refresh(first.refresh_token)).body;
  clock.advance(3);
  const again = await refresh(first.refresh_token);
  t.equal(again.status, 200);
  t.equal(again.body.refresh_token, lost.refresh_token);
  t.equal(await activity(again.body.access_token), true);
  t.equal(await activity(lost.access_token), true);
  t.equal((await refresh(again.body.refresh_token)).status, 200);
});

t.test('of many refreshes at once, over two processes, one rotates and all end well', async (t) => {
  const other = await buildAnotherApp(t, opened);
  for (let round = 0; round < 5; round++) {
    const { refresh_token } = await signIn();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        postForm(index % 2 === 0 ? call : other, '/oauth/v2/token', {
          form: { grant_type: 'refresh_token', refresh_token },
          as: web.credentials,
        }),
      ),
    );
    t.same(
      answers.map(({ status }) => status),
      Array.from({ length: 8 }, () => 200),
    );
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    t.equal(successors.size, 1, 'one successor');
    t.equal((await refresh([...successors][0])).status, 200);
  }
});

t.test('a family that changed at another process is not taken for what it was here', async (t) => {
  const other = await buildAnotherApp(t, opened);
  const refreshAt = async (where: typeof call, refresh_token: string) =>
    (
      await postForm(where, '/oauth/v2/token', {
        form: { grant_type: 'refresh_token', refresh_token },
        as: web.credentials,
      })
    ).body;
  let { refresh_token: token } = await signIn();
  for (const where of [call, other, other, call, other]) {
    const refreshed = await refreshAt(where, token);
    t.equal(await activity(refreshed.access_token), true);
    token = refreshed.refresh_token;
  }
  // Here the family is held from two uses ago: a token of then is reuse, as it is anywhere.
  const { refresh_token: first } = await signIn();
  const { refresh_token: second } = await refreshAt(call, first);
  const { refresh_token: third } = await refreshAt(other, second);
  const { refresh_token: fourth } = await refreshAt(other, third);
  t.match(await refreshAt(call, second), { error: 'invalid_grant' });
  t.match(await refreshAt(other, fourth), { error: 'invalid_grant' }, 'which ended the family');

  const { refresh_token: ended } = await refreshAt(call, (await signIn()).refresh_token);
  const revoked = await postForm(other, '/oauth/v2/revoke', { form: { token: ended }, as: web.credentials });
  t.equal(revoked.status, 200);
  t.match(await refreshAt(call, ended), { error: 'invalid_grant' });
});

t.test('the grace time is 30 seconds, and begins anew for each generation', async (t) => {
  t.equal(container.config.refreshTokenGraceSeconds, 30);
  const { refresh_token: first } = await signIn();
  const { refresh_token: second } = (await refresh(first)).body;
  clock.advance(29);
  t.equal((await refresh(first)).body.refresh_token, second, 'the answer was lost');
  const third = (await refresh(second)).body;
  clock.advance(29);
  t.equal((await refresh(second)).body.refresh_token, third.refresh_token, 'again for the next one');
  t.match(await refresh(first), { status: 400, body: { error: 'invalid_grant' } }, 'two generations old');
  t.equal(await activity(third.access_token), false, 'its client had the answer, so another holder shows it');
});

t.test('without a grace time the loser ends the family', async (t) => {
  const strict = await buildTestApp(t, { refreshTokenGraceSeconds: 0 });
  const org = await makeOrganization(strict.container);
  const client = await makeApplication(strict.container, org.id);
  const somebody = await makePerson(strict.container, org);
  const { body } = await redeemCode(strict, { client, person: somebody, grant: { scope } });
  const again = () =>
    postForm(strict.call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token: body.refresh_token },
      as: client.credentials,
    });
  t.equal((await again()).status, 200);
  strict.clock.advance(1);
  t.equal((await again()).body.error, 'invalid_grant');
});

t.test('a refresh token is for its client alone', async (t) => {
  const { refresh_token } = await signIn();
  const other = await makeApplication(container, organization.id);
  t.match(await refresh(refresh_token, {}, other.credentials), {
    status: 400,
    body: { error: 'invalid_grant' },
  });
  t.equal((await refresh(refresh_token)).status, 200, 'which harms nobody');
});

t.test('invented tokens end no family', async (t) => {
  const first = await signIn();
  const damaged = `${first.refresh_token.slice(0, -2)}AA`;
  for (const token of [
    damaged,
    'mrt_',
    'mrt_AAAA',
    'x',
    '{"$gt":""}',
    'x'.repeat(60_000),
    first.access_token,
  ]) {
    t.equal((await refresh(token)).body.error, 'invalid_grant');
  }
  t.equal((await refresh(first.refresh_token)).status, 200);
  const missing = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token' },
    as: web.credentials,
  });
  t.equal(missing.body.error, 'invalid_request');
});

t.test('an application without the grant gets no refresh token and may not use one', async (t) => {
  const without = await makeApplication(container, organization.id, { grantTypes: ['authorization_code'] });
  const issued = await signIn({}, without);
  t.notOk('refresh_token' in issued);
  const { refresh_token } = await signIn();
  t.match(await refresh(refresh_token, {}, without.credentials), {
    status: 400,
    body: { error: 'unauthorized_client' },
  });
});

t.test('public clients refresh with their client_id alone', async (t) => {
  const spa = await makeApplication(container, organization.id, { type: 'spa' });
  const grant = grantOf(spa, person, { scope, authTime: clock.now() });
  const refreshToken = await container.refreshTokens.begin({
    ...grant,
    id: grant.familyId,
    audience: [spa.id],
  });
  t.equal((await refresh(refreshToken, {}, spa.credentials)).status, 200);
});

t.test('refreshing goes on after the person signed out, and ends with the person', async (t) => {
  const sessionId = newId();
  const first = await signIn({ sessionId });
  const revocation = {
    kind: 'session' as const,
    id: sessionId,
    sub: person.id,
    issuedUntil: clock.now().getTime() / 1000,
    expires: new Date(clock.now().getTime() + 100_000),
  };
  await container.revocations.record(revocation);
  await container.revocations.publish(revocation);
  t.equal(await activity(first.access_token), false, 'the access token of the session has ended');
  const next = (await refresh(first.refresh_token)).body;
  t.equal(await activity(next.access_token), true);

  const leaver = await makePerson(container, organization);
  const theirs = (
    await redeemCode(
      { container, call },
      { client: web, person: leaver, grant: { scope, authTime: clock.now() } },
    )
  ).body;
  await container.mongo
    .collection<{ _id: string }>('users')
    .updateOne({ _id: leaver.id }, { $set: { active: false } });
  // Every write of a user announces it. Without that, the process may use the user of the sign-in.
  await container.revocations.restamp(leaver.id);
  t.equal((await refresh(theirs.refresh_token)).body.error, 'invalid_grant');
});

t.test('an idle family ends after 30 days, a busy one after 90', async (t) => {
  const days = (count: number) => clock.advance(count * 24 * 3600);
  const idle = await signIn();
  let busy = await signIn();
  days(29);
  busy = (await refresh(busy.refresh_token)).body;
  days(2);
  t.equal((await refresh(idle.refresh_token)).body.error, 'invalid_grant', 'idle');
  days(27);
  busy = (await refresh(busy.refresh_token)).body;
  days(29);
  busy = (await refresh(busy.refresh_token)).body;
  t.type(busy.refresh_token, 'string', 'day 87');
  days(4);
  t.equal((await refresh(busy.refresh_token)).body.error, 'invalid_grant', 'day 91');
});
