import t, { type Test } from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { amrOf } from '#src/authentication/proofs/index.js';
import type { User } from '#src/directory/user.js';
import { newId } from '#src/platform/ids.js';
import { makeTenant } from '../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const { container, app, call, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { orgId, owner } = await makeTenant(container);
const home = await container.organizations.find(orgId);
if (home === undefined) throw new Error('The organization is gone');
const cookieName = '__Host-muster-agent';
const newPassword = 'Another-Horse-8';
const chosen = { password: newPassword, repeated: newPassword };
const limit = container.config.loginMaxFailures;

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });

/** The code of the next time step, so that each code of a test is a new one. */
function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

/** A code that is right at no time near the present one. */
function wrongCode(secret: Buffer): string {
  const now = totpStep(clock.now());
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => totpCode(secret, now + steps)));
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !near.has(code)) ?? '';
}

async function signIn(
  user: User,
  secret?: Buffer,
  password = goodPassword,
): Promise<{ visitor: Visitor; account: Seen; used: string }> {
  const visitor = newVisitor();
  const loginName = user.userName;
  let answer = await visitor.fill(await visitor.get('/login'), { loginName, password });
  const used = secret === undefined ? '' : nextCode(secret);
  if (secret !== undefined) answer = await visitor.fill(await visitor.follow(answer), { code: used });
  return { visitor, account: await visitor.follow(answer), used };
}

/** A refresh token and an access token of a session of the person. */
async function tokensOf({ id: userId }: User, sessionId: string) {
  const refreshToken = await container.refreshTokens.begin({
    id: newId(),
    clientId: 'client',
    userId,
    orgId,
    scope: 'openid offline_access',
    audience: ['client'],
    sessionId,
    amr: ['pwd'],
  });
  const issuedAt = clock.now().getTime() / 1000;
  return {
    /** Replaces the first token. A process that remembers a family notices only then that the family has ended. */
    async refresh() {
      const shown = await container.refreshTokens.find(refreshToken);
      return shown !== undefined && (await container.refreshTokens.rotate(shown)) !== undefined;
    },
    access: async () =>
      !(await container.revocations.isRevoked({ jti: newId(), sub: userId, session: sessionId, issuedAt })),
  };
}

interface Change {
  readonly name: string;
  /** Whether the person has a second factor before. */
  readonly factor?: boolean;
  /** Makes the change, at the given browser if it is the person's. */
  readonly make: (at: {
    visitor: Visitor;
    account: Seen;
    user: User;
    secret: Buffer | undefined;
  }) => Promise<Seen | undefined>;
  /** Whether the browser stays signed in. */
  readonly stays: boolean;
}

const usersUrl = `/admin/v1/orgs/${orgId}/users`;

const changes: Change[] = [
  {
    name: 'the account page sets a password',
    make: ({ visitor, account }) =>
      visitor.fill(account, { current: goodPassword, ...chosen }, '/account/password'),
    stays: true,
  },
  {
    name: 'the account page sets up a second factor',
    async make({ visitor }) {
      const page = await visitor.get('/account/totp');
      const secret = fromBase32(/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '');
      return visitor.fill(page, { code: nextCode(secret as Buffer), password: goodPassword });
    },
    stays: true,
  },
  {
    name: 'the account page removes the second factor',
    factor: true,
    async make({ visitor, secret }) {
      const page = await visitor.get('/account/totp/remove');
      return visitor.fill(page, { code: nextCode(secret as Buffer), password: goodPassword });
    },
    stays: true,
  },
  {
    name: 'a link sets a password',
    async make({ visitor, user }) {
      const { body } = await call(`POST ${usersUrl}/${user.id}/one-time-links`, { as: owner });
      return visitor.fill(await visitor.get(body.url), chosen);
    },
    stays: true,
  },
  {
    name: 'a sign-in that requires a new password sets one',
    async make({ visitor, user }) {
      await call(`POST ${usersUrl}/${user.id}/require-password-change`, { as: owner });
      const login = await visitor.get('/login');
      const asked = await visitor.fill(login, { loginName: user.userName, password: goodPassword });
      return visitor.fill(await visitor.follow(asked), chosen);
    },
    stays: true,
  },
  {
    name: 'an administrator removes the second factor',
    factor: true,
    async make({ user }) {
      t.equal((await call(`DELETE ${usersUrl}/${user.id}/totp`, { as: owner })).status, 204);
      return undefined;
    },
    stays: false,
  },
  {
    name: 'a SCIM client sets a password',
    async make({ user }) {
      const body = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'password', value: newPassword }],
      };
      const { status } = await call(`PATCH /scim/v2/${orgId}/Users/${user.id}`, { as: owner, body });
      t.ok(status < 300);
      return undefined;
    },
    stays: false,
  },
];

for (const { name, factor, make, stays } of changes) {
  t.test(`${name}: everything else of the person ends`, async (t) => {
    const user = await makePerson(container, home);
    const secret = factor ? await giveTotp(container, user) : undefined;
    const here = await signIn(user, secret);
    const elsewhere = await signIn(user, secret);
    const before = await container.sessions.ofUser(user.id);
    t.equal(before.length, 2);
    const tokens = await Promise.all(before.map(({ id }) => tokensOf(user, id)));
    for (const { access } of tokens) t.equal(await access(), true);
    const control = await tokensOf(await makePerson(container, home), newId());
    const bystander = await signIn(await makePerson(container, home));
    const stolen = here.visitor.cookies.get(cookieName) ?? '';
    clock.advance(1);

    const answer = await make({ ...here, user, secret });
    for (const { refresh, access } of tokens) t.same([await refresh(), await access()], [false, false]);
    t.same([await control.refresh(), await control.access()], [true, true]);
    t.equal((await elsewhere.visitor.get('/account')).location, '/login?to=account', 'another browser');
    t.equal((await bystander.visitor.get('/account')).status, 200, 'another person');
    if (!stays) {
      t.equal((await here.visitor.get('/account')).location, '/login?to=account', 'no browser is left');
      t.same(await container.sessions.ofUser(user.id), []);
      return;
    }
    t.equal(answer?.status, 303);
    t.match((await here.visitor.follow(answer as Seen)).text, /Your account/);
    t.equal((await container.sessions.ofUser(user.id)).length, 1);
    t.not(here.visitor.cookies.get(cookieName), stolen, 'the cookie has a new secret');
    const thief = newVisitor();
    thief.cookies.set(cookieName, stolen);
    t.equal((await thief.get('/account')).location, '/login?to=account', 'the former secret leads nowhere');
  });
}

for (const { name, factor, make } of [
  ...changes,
  {
    name: 'a SCIM client replaces the user with a password',
    async make({ user }) {
      const { body } = await call(`GET /scim/v2/${orgId}/Users/${user.id}`, { as: owner });
      const answer = await call(`PUT /scim/v2/${orgId}/Users/${user.id}`, {
        as: owner,
        headers: { 'content-type': 'application/scim+json' },
        body: { ...body, password: newPassword },
      });
      t.equal(answer.status, 200);
      return undefined;
    },
    stays: false,
  } satisfies Change,
  {
    name: 'a SCIM client deactivates the user and activates it again',
    async make({ user }) {
      for (const active of [false, true]) {
        const body = {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'active', value: active }],
        };
        const { status } = await call(`PATCH /scim/v2/${orgId}/Users/${user.id}`, { as: owner, body });
        t.ok(status < 300);
      }
      return undefined;
    },
    stays: false,
  } satisfies Change,
  {
    name: 'an administrator ends all sessions',
    async make({ user }) {
      t.equal((await call(`DELETE ${usersUrl}/${user.id}/sessions`, { as: owner })).status, 204);
      return undefined;
    },
    stays: false,
  } satisfies Change,
] as Change[]) {
  t.test(`${name}: a browser that the person had is any browser`, async (t) => {
    const user = await makePerson(container, home);
    const secret = factor ? await giveTotp(container, user) : undefined;
    const here = await signIn(user, secret);
    const thief = await signIn(user, secret);
    const jar = new Map(thief.visitor.cookies);
    clock.advance(1);
    await make({ ...here, user, secret });
    clock.advance(1);
    for (let failure = 0; failure < limit; failure++) await signIn(user, undefined, 'Wrong-Horse-1');

    const waits = async (visitor: Visitor, name: string) => {
      for (const password of [newPassword, goodPassword, 'Wrong-Horse-1']) {
        const fields = { loginName: user.userName, password };
        t.equal((await visitor.fill(await visitor.get('/login'), fields)).status, 429, name);
      }
    };
    await waits(newVisitor(), 'a new browser waits');
    await waits(thief.visitor, 'so does the browser of a thief');
    const copied = newVisitor();
    for (const [cookie, value] of jar) copied.cookies.set(cookie, value);
    await waits(copied, 'and one with its former cookies');
  });
}

t.test('a sign-in that was begun with the former second factor cannot continue', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  await call(`POST ${usersUrl}/${user.id}/require-password-change`, { as: owner });
  const { visitor, account: page } = await signIn(user, secret);
  t.equal(page.url.endsWith('/login/new-password'), true);
  t.equal((await call(`DELETE ${usersUrl}/${user.id}/totp`, { as: owner })).status, 204);
  await giveTotp(container, user);
  t.match(await visitor.fill(page, chosen), { status: 303, location: '/login?again=1' });
});

t.test('a second factor that is set up during the check of a password is asked for', async (t) => {
  const user = await makePerson(container, home);
  const { verify } = container.passwords;
  t.teardown(() => {
    container.passwords.verify = verify;
  });
  container.passwords.verify = async (...args) => {
    const right = await verify(...args);
    container.passwords.verify = verify;
    await giveTotp(container, user);
    return right;
  };
  const visitor = newVisitor();
  const fields = { loginName: user.userName, password: goodPassword };
  t.equal((await visitor.fill(await visitor.get('/login'), fields)).status, 400);
  t.same(await container.sessions.ofUser(user.id), []);
  t.equal((await visitor.fill(await visitor.get('/login'), fields)).location, '/login/code');
});

t.test('the second factor is removed with the password and a new code', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const { visitor, used } = await signIn(user, secret);
  const page = await visitor.get('/account/totp/remove');
  t.match(page.text, /Your administrator can remove the second factor/);
  const refused = [
    [{ password: goodPassword }, /id="code-error"/],
    [{ password: goodPassword, code: used }, /id="code-error"/],
    [{ password: goodPassword, code: wrongCode(secret) }, /id="code-error"/],
  ] as const;
  for (const [fields, message] of refused) {
    t.match(await visitor.fill(page, fields), { status: 400, text: message }, JSON.stringify(fields));
  }
  const code = nextCode(secret);
  t.match(await visitor.fill(page, { password: 'Wrong-Horse-1', code }), {
    status: 400,
    text: /id="password-error"/,
  });
  t.ok((await container.accounts.find(orgId, user.id))?.totp, 'it is still there');
  const done = await visitor.fill(page, { password: goodPassword, code });
  t.equal(done.status, 303, 'a wrong password used up no code');
  t.equal((await container.accounts.find(orgId, user.id))?.totp, undefined);
});

t.test(
  'with a second factor, a new password needs a code: its session counts as a fresh sign-in',
  async (t) => {
    const user = await makePerson(container, home);
    const secret = await giveTotp(container, user);
    const { visitor, account, used } = await signIn(user, secret);
    clock.advance(3_600);
    const before = (await container.sessions.ofUser(user.id)).map(({ authTime }) => authTime);
    const fields = { current: goodPassword, ...chosen };
    for (const code of [undefined, '', used, wrongCode(secret)]) {
      const given = { ...fields, ...(code !== undefined && { code }) };
      const refused = await visitor.fill(account, given, '/account/password');
      t.match(refused, { status: 400, text: /id="code-error"/ }, `code ${code}`);
    }
    t.strictSame(
      (await container.sessions.ofUser(user.id)).map(({ authTime }) => authTime),
      before,
      'a thief of the session who knows the password has no fresh sign-in',
    );
    const wrong = { ...fields, current: 'Wrong-Horse-1', code: nextCode(secret) };
    t.match(await visitor.fill(account, wrong, '/account/password'), {
      status: 400,
      text: /id="current-error"/,
    });
    const right = { ...fields, code: totpCode(secret, totpStep(clock.now())) };
    t.equal(
      (await visitor.fill(account, right, '/account/password')).status,
      303,
      'a wrong password used up no code',
    );
    const [session] = await container.sessions.ofUser(user.id);
    t.strictSame(amrOf(session?.proofs ?? []), ['pwd', 'otp', 'mfa']);
    t.ok((session?.authTime ?? 0) > (before[0] ?? 0));
    t.notMatch(
      (await signIn(await makePerson(container, home))).account.text,
      /name="code"/,
      'nobody else is asked',
    );
  },
);

t.test('guesses of codes count together, whether they sign in or remove', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const { visitor } = await signIn(user, secret);
  const page = await visitor.get('/account/totp/remove');
  const begun = newVisitor();
  await begun.fill(await begun.get('/login'), { loginName: user.userName, password: goodPassword });
  const codePage = await begun.get('/login/code');
  for (let i = 0; i < limit; i++) {
    const fields = { password: goodPassword, code: wrongCode(secret) };
    const answer = await (i % 2 === 0 ? visitor.fill(page, fields) : begun.fill(codePage, fields));
    t.equal(answer.status, 400);
  }
  const right = { password: goodPassword, code: nextCode(secret) };
  t.match(await visitor.fill(page, right), { status: 429, headers: { 'retry-after': /^\d+$/ } });
  t.equal((await begun.fill(codePage, right)).status, 429);
  t.ok((await container.accounts.find(orgId, user.id))?.totp);
});

/** Guesses codes with a password that is known: begins a sign-in and sends one code. */
async function guess(user: User, code: string, password = goodPassword): Promise<Seen> {
  const visitor = newVisitor();
  await visitor.fill(await visitor.get('/login'), { loginName: user.userName, password });
  return visitor.fill(await visitor.get('/login/code'), { code });
}

const waitOf = ({ headers }: Seen) => Number(headers['retry-after']);

async function untilLocked(t: Test, user: User, secret: Buffer): Promise<number> {
  for (let i = 0; i < limit; i++) t.equal((await guess(user, wrongCode(secret))).status, 400);
  const locked = await guess(user, wrongCode(secret));
  t.equal(locked.status, 429);
  return waitOf(locked);
}

t.test('each wrong code after the first lock locks for longer, up to a day, until a right one', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const first = container.config.loginLockSeconds;
  let wait = await untilLocked(t, user, secret);
  t.ok(wait <= first && wait > first / 2, 'the first lock');
  for (let expected = first * 2; expected < 200_000; expected *= 2) {
    clock.advance(wait + 1);
    t.equal((await guess(user, wrongCode(secret))).status, 400, 'one guess');
    const locked = await guess(user, wrongCode(secret));
    t.equal(locked.status, 429, 'and no second one');
    wait = waitOf(locked);
    const longest = Math.min(expected, 24 * 3600);
    t.ok(wait <= longest && wait > longest * 0.9, `${wait} of ${longest} seconds`);
  }
  t.equal((await guess(user, nextCode(secret))).status, 429, 'a lock holds for the right code too');
  clock.advance(wait);
  t.equal((await guess(user, nextCode(secret))).status, 303);
  wait = await untilLocked(t, user, secret);
  t.ok(wait <= first, 'a right code ended the count');
});

t.test('few guesses in each window, for many windows, are slowed too', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const days = 4;
  let made = 0;
  for (let window = 0; window < days * 24; window++) {
    for (let i = 0; i < 3; i++) {
      const { status } = await guess(user, wrongCode(secret));
      if (status !== 400) break;
      made++;
    }
    clock.advance(3600);
    if (window % 24 === 23) lastAddress = 0;
  }
  t.ok(made <= limit + 10 + days, `${made} guesses in ${days} days`);
});

t.test('a link for a new password does not forget wrong codes; an administrator does', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  await untilLocked(t, user, secret);
  const { body } = await call(`POST ${usersUrl}/${user.id}/one-time-links`, { as: owner });
  const visitor = newVisitor();
  const asked = await visitor.fill(await visitor.get(body.url), chosen);
  t.equal(asked.location, '/login/code');
  t.equal((await visitor.fill(await visitor.get('/login/code'), { code: nextCode(secret) })).status, 429);
  t.equal((await call(`POST ${usersUrl}/${user.id}/unlock`, { as: owner })).status, 204);
  t.equal((await guess(user, nextCode(secret), newPassword)).status, 303);

  const another = await makePerson(container, home);
  await untilLocked(t, another, await giveTotp(container, another));
  t.equal((await call(`DELETE ${usersUrl}/${another.id}/totp`, { as: owner })).status, 204);
  t.equal((await guess(another, nextCode(await giveTotp(container, another)))).status, 303, 'a new factor');
});

t.test('a check that fails by itself counts for nothing and leaves no lock', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  for (let i = 1; i < limit; i++) t.equal((await guess(user, wrongCode(secret))).status, 400);
  const { takeTotpStep } = container.accounts;
  container.accounts.takeTotpStep = () => Promise.reject(new Error('no store'));
  t.teardown(() => {
    container.accounts.takeTotpStep = takeTotpStep;
  });
  t.equal((await guess(user, nextCode(secret))).status, 500);
  container.accounts.takeTotpStep = takeTotpStep;
  t.equal((await guess(user, nextCode(secret))).status, 303);
});

t.test('parallel guesses do not exceed the limit', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const visitor = newVisitor();
  await visitor.fill(await visitor.get('/login'), { loginName: user.userName, password: goodPassword });
  const page = await visitor.get('/login/code');
  const code = wrongCode(secret);
  const answers = await Promise.all(Array.from({ length: limit + 5 }, () => visitor.fill(page, { code })));
  t.equal(answers.filter(({ status }) => status === 400).length, limit);
});
