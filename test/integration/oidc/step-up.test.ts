import { decodeJwt } from 'jose';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import type { Proof, TimedProof } from '#src/authentication/proofs/proof.js';
import { setPassword } from '#src/authentication/set-password.js';
import type { User } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import { endSessions } from '#src/sessions/end-sessions.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

/** A request that demands more than the session has leads to the missing proof alone. */

const { app, container, clock, call } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container);
const client = await makeApplication(container, home.id);
/** Seconds after which a session of 900 seconds ago began later than the credentials. */
const longAgo = 1_000;
const essential = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

async function ask(visitor: Visitor, more: Record<string, string>): Promise<Seen> {
  const query = {
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    ...more,
  };
  return visitor.follow(await visitor.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`));
}

/** A browser at which the person has a session with these proofs, so many seconds ago. */
async function signedIn(user: User, proofs: readonly [kind: 'password' | 'code', secondsAgo: number][]) {
  const secret = newSecret();
  const visitor = visit(app, container);
  visitor.cookies.set('__Host-muster-agent', secret);
  const session = await container.sessions.signIn(hashSecret(secret), {
    ...personOf(user),
    proofs: kinds(proofs),
  });
  // A session that is renewed may have proofs of different times.
  const timed = proofs.map(
    ([kind, secondsAgo]): TimedProof => ({ kind, time: clock.now().getTime() - secondsAgo * 1000 }),
  );
  await container.sessions.signIn(hashSecret(secret), { ...personOf(user), proofs: timed });
  const provedAt = new Map(
    proofs.map(([kind], index) => [kind, Math.floor((timed[index]?.time ?? 0) / 1000)]),
  );
  return { visitor, session, provedAt };
}

const kinds = (proofs: readonly [kind: 'password' | 'code', secondsAgo: number][]) =>
  proofs.map(([kind]): Proof => ({ kind }));
const personOf = ({ id: userId, orgId, userName, displayName }: User) => ({
  userId,
  orgId,
  userName,
  displayName,
});

/** The claims of the ID token, or the error, with which a request arrived at the application. */
async function arrival({ location }: Seen): Promise<Record<string, unknown>> {
  const address = new URL(location ?? 'about:blank', 'https://none.example');
  const code = address.searchParams.get('code');
  if (code === null) return { error: address.searchParams.get('error') ?? address.pathname };
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const { body } = await postForm(call, '/oauth/v2/token', { form, as: client.credentials });
  return decodeJwt(body.id_token);
}

async function personWithTotp() {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  clock.advance(longAgo);
  return { user, code: () => totpCode(secret, totpStep(clock.now())) };
}

t.test('a session of one factor and a demand for two: the code alone is asked for', async (t) => {
  for (const demand of [
    { acr_values: '2' },
    { acr_values: 'gold phr 2 1' },
    essential('2'),
    essential('phr', '2'),
  ]) {
    const { user, code } = await personWithTotp();
    const { visitor, session, provedAt } = await signedIn(user, [['password', 600]]);
    const page = await ask(visitor, demand);
    t.match(page, { status: 200, url: /^\/login\/code\?/ }, JSON.stringify(demand));
    t.match(await visitor.fill(page, { code: '000000' }), { status: 400 }, 'a wrong code');
    const claims = await arrival(await visitor.follow(await visitor.fill(page, { code: code() })));
    t.match(claims, { acr: '2', amr: ['pwd', 'otp', 'mfa'], sid: session.id, sub: user.id });
    t.equal(claims['auth_time'], provedAt.get('password'), 'as old as its oldest proof');
    t.match(await arrival(await ask(visitor, demand)), { acr: '2' }, 'the session has it from then on');
  }
});

t.test(
  'what an application merely prefers asks nobody who cannot give it, and no page with prompt=none',
  async (t) => {
    const user = await makePerson(container, home);
    const { visitor } = await signedIn(user, [['password', 600]]);
    for (const acr_values of ['2', 'phr 2', 'phr', 'gold', '2 1'])
      t.match(await arrival(await ask(visitor, { acr_values })), { acr: '1', amr: ['pwd'] }, acr_values);
    const able = await personWithTotp();
    const other = await signedIn(able.user, [['password', 600]]);
    t.match(await arrival(await ask(other.visitor, { acr_values: '2', prompt: 'none' })), { acr: '1' });
    t.match(
      await arrival(await ask(other.visitor, { acr_values: '1 2' })),
      { acr: '1' },
      'the preferred one is reached',
    );
    t.match(await arrival(await ask(other.visitor, { ...essential('2'), prompt: 'none' })), {
      error: 'login_required',
    });
  },
);

t.test(
  'an essential level that the person cannot reach is an error, after somebody else could sign in',
  async (t) => {
    const user = await makePerson(container, home);
    for (const demand of [essential('2'), essential('phr'), essential('gold')]) {
      const { visitor } = await signedIn(user, [['password', 600]]);
      // The request arrives later than the sign-in. Both may otherwise happen within a millisecond.
      clock.advance(1);
      const page = await ask(visitor, demand);
      t.match(page, { url: /^\/login\?/, text: /name="loginName"/ });
      clock.advance(1);
      const done = await visitor.follow(
        await visitor.fill(page, { loginName: user.userName, password: goodPassword }),
      );
      t.same(await arrival(done), { error: 'unmet_authentication_requirements' });
      const able = await personWithTotp();
      const again = await ask(visitor, demand);
      const code = await visitor.follow(
        await visitor.fill(again, { loginName: able.user.userName, password: goodPassword }),
      );
      t.match(code.url, /^\/login\/code/);
    }
  },
);

t.test('max_age leads to the proofs that are too old', async (t) => {
  const { user, code } = await personWithTotp();
  const old = await signedIn(user, [
    ['password', 900],
    ['code', 100],
  ]);
  const page = await ask(old.visitor, { max_age: '300' });
  t.match(page.url, /^\/login\?/);
  const done = await old.visitor.follow(
    await old.visitor.fill(page, { loginName: user.userName, password: goodPassword }),
  );
  const claims = await arrival(done);
  t.match(claims, { amr: ['pwd', 'otp', 'mfa'], acr: '2', sid: old.session.id }, 'the code is young enough');
  t.equal(claims['auth_time'], old.provedAt.get('code'));

  const older = await signedIn(user, [
    ['password', 900],
    ['code', 900],
  ]);
  const whole = await ask(older.visitor, { max_age: '300' });
  const second = await older.visitor.follow(
    await older.visitor.fill(whole, { loginName: user.userName, password: goodPassword }),
  );
  t.match(second.url, /^\/login\/code/, 'a whole sign-in');
  clock.advance(30);
  const began = Math.floor(clock.now().getTime() / 1000);
  const fresh = await arrival(await older.visitor.follow(await older.visitor.fill(second, { code: code() })));
  t.ok((fresh['auth_time'] as number) >= began);
});

t.test('prompt=login counts no earlier proof', async (t) => {
  const { user } = await personWithTotp();
  const { visitor } = await signedIn(user, [
    ['password', 0],
    ['code', 0],
  ]);
  clock.advance(1);
  const page = await ask(visitor, { prompt: 'login', acr_values: '2' });
  t.match(page.url, /^\/login\?/);
  const next = await visitor.follow(
    await visitor.fill(page, { loginName: user.userName, password: goodPassword }),
  );
  t.match(next.url, /^\/login\/code/);
});

t.test(
  'a session that the person chose for a request that demands a sign-in lends it no proof',
  async (t) => {
    const { user } = await personWithTotp();
    const { visitor, session } = await signedIn(user, [
      ['password', 0],
      ['code', 0],
    ]);
    clock.advance(1);
    const choice = await ask(visitor, { prompt: 'select_account login' });
    const page = await visitor.follow(await visitor.fill(choice, { session: session.id }));
    t.match(page.url, /^\/login\?/);
    const next = await visitor.follow(
      await visitor.fill(page, { loginName: user.userName, password: goodPassword }),
    );
    t.match(next.url, /^\/login\/code/);
  },
);

t.test('another person at the same page inherits nothing', async (t) => {
  const [anna, bert] = [await personWithTotp(), await personWithTotp()];
  const { visitor } = await signedIn(anna.user, [
    ['password', 900],
    ['code', 100],
  ]);
  const page = await ask(visitor, { max_age: '300' });
  const next = await visitor.follow(
    await visitor.fill(page, { loginName: bert.user.userName, password: goodPassword }),
  );
  t.match(next.url, /^\/login\/code/);
  t.match(await visitor.fill(next, { code: anna.code() }), { status: 400 }, 'the code of the first one');
});

t.test('a session that ends at the page of the code takes its proofs with it', async (t) => {
  const ways: [string, (user: User) => Promise<unknown>][] = [
    ['an administrator ends it', (user) => endSessions(container, { user, editor: testEditor })],
    [
      'a new password',
      async ({ id }) => {
        await setPassword(container, {
          organization: home,
          id,
          password: 'An0ther-Horse!',
          editor: testEditor,
        });
        await container.sessions.endAllOf(id);
      },
    ],
  ];
  for (const [name, end] of ways) {
    const { user, code } = await personWithTotp();
    const { visitor } = await signedIn(user, [['password', 600]]);
    const page = await ask(visitor, { acr_values: '2' });
    t.match(page.url, /^\/login\/code/);
    await end(user);
    const after = await visitor.fill(page, { code: code() });
    t.match(after.location, /^\/login\?.*again=1/, name);
    t.match((await visitor.get(page.url)).location, /^\/login\?.*again=1/, name);
    t.same(await container.sessions.ofUser(user.id), []);
  }
});

t.test('the page of the code is of use only where it is the next step', async (t) => {
  const { user, code } = await personWithTotp();
  const { visitor } = await signedIn(user, [['password', 600]]);
  const page = await ask(visitor, { acr_values: '2' });
  const other = visit(app, container);
  t.equal((await other.get(page.url)).status, 400, 'another browser has another sign-in');
  t.equal((await visitor.get('/login/code')).location, '/login?again=1', 'no request, no step');
  await visitor.follow(await visitor.fill(page, { code: code() }));
  t.notMatch((await visitor.get(page.url)).text, /name="code"/, 'it was answered');
  const second = await ask(visitor, {});
  t.match(await arrival(second), { acr: '2' });
});

t.test('two tabs: the second goes on with what was proved at the first', async (t) => {
  const { user, code } = await personWithTotp();
  const { visitor } = await signedIn(user, [['password', 600]]);
  const [first, second] = [await ask(visitor, { acr_values: '2' }), await ask(visitor, essential('2'))];
  t.match(await arrival(await visitor.follow(await visitor.fill(first, { code: code() }))), { acr: '2' });
  t.match(await arrival(await visitor.follow(await visitor.fill(second, { code: code() }))), { acr: '2' });
});
