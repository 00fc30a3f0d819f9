import { createHash } from 'node:crypto';
import bcrypt from 'bcryptjs';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { nameSubject, passwordSubject } from '#src/authentication/attempt-subjects.js';
import { amrOf } from '#src/authentication/proofs/index.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { setPassword } from '#src/authentication/set-password.js';
import { unlockUser } from '#src/authentication/unlock-user.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { revealScript } from '#src/http/pages/reveal-password.js';
import { newSecret } from '#src/platform/ids.js';
import { makeTenant, testEditor } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import { whileAway } from '../../support/app/while-away.js';
import { formsOf, type Visitor, visit } from '../../support/oidc/visitor.js';
import { watchRedisCommands } from '../../support/stores/redis-commands.js';
import { keysOf, removeKeys } from '../../support/stores/redis-keys.js';
import { errorIdOf } from '../../support/thrown.js';

const { container, app, call, clock, openAnother } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { orgId, owner } = await makeTenant(container);
const home = (await container.organizations.find(orgId)) as NonNullable<
  Awaited<ReturnType<typeof container.organizations.find>>
>;
const cookieName = '__Host-muster-agent';

let lastAddress = 0;
const newVisitor = (language = 'en') =>
  visit(app, container, { language, address: `198.51.100.${++lastAddress}` });

/** Opens the login page and sends a name and a password. */
async function signIn(visitor: Visitor, loginName: string, password = goodPassword, flow = '') {
  const page = await visitor.get(`/login${flow === '' ? '' : `?request=${flow}`}`);
  return visitor.fill(page, { loginName, password });
}

/** An authorization request that waits for this visitor. */
async function waitingRequest(visitor: Visitor, given: { scope?: string; clientId?: string } = {}) {
  if (!visitor.cookies.has(cookieName)) await visitor.get('/login');
  const { hashSecret } = await import('#src/keys/secret-hash.js');
  const flow = container.authorizationRequests.seal({
    id: newSecret(),
    clientId: 'some-client',
    redirectUri: 'https://client.example/callback',
    responseType: 'code',
    responseMode: 'query',
    scope: 'openid',
    prompts: [],
    uiLocales: [],
    created: clock.now(),
    agentHash: hashSecret(visitor.cookies.get(cookieName) ?? ''),
    ...given,
  });
  return flow;
}

async function eventsOf(id: string): Promise<string[]> {
  const found = await container.events.search({ aggregateId: id, limit: 100, ascending: true });
  return found.map(({ type }) => type);
}

t.test('the page: headers, form and style sheet', async (t) => {
  const visitor = newVisitor();
  const page = await visitor.get('/login');
  t.equal(page.status, 200);
  const script = /<script>(.*)<\/script>/s.exec(page.text)?.[1] ?? '';
  t.equal(script, revealScript, 'the only script in the page shows what was typed as a password');
  t.match(
    page.headers['content-security-policy'],
    `default-src 'none'; script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'; style-src`,
  );
  t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/);
  t.match(page.text, /<button type="button" hidden data-reveals="password"/, 'hidden without JavaScript');
  t.match(page.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  t.match(
    page.headers['set-cookie'],
    /^__Host-muster-agent=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; .*Secure/,
  );
  t.equal(page.text.split('<script').length, 3, 'with the file for passkeys');
  t.notMatch(page.text, /onclick|style="/);
  t.match(page.text, /<html lang="en">/);
  for (const name of ['loginName', 'password']) t.match(page.text, new RegExp(`<label for="${name}">`));
  const sheet = await visitor.get(/href="[^"]*(\/login\/assets\/[^"]+)"/.exec(page.text)?.[1] ?? '');
  t.match(sheet, { status: 200, headers: { 'cache-control': /immutable/, 'content-type': /^text\/css/ } });
});

t.test('the right password signs in, with a new agent secret', async (t) => {
  const user = await makePerson(container, home);
  const visitor = newVisitor();
  await visitor.get('/login');
  const planted = visitor.cookies.get(cookieName);
  const answer = await signIn(visitor, user.userName.toUpperCase());
  t.equal(answer.status, 303);
  t.match(answer.location, /^\/account\?session=/);
  t.not(visitor.cookies.get(cookieName), planted, 'the secret from before is not the one from after');
  const account = await visitor.follow(answer);
  t.match(account.text, new RegExp(`Signed in as ${user.userName}`));
  t.same(await eventsOf(user.id), ['user.human.added', 'user.human.password.check.succeeded']);

  const attacker = newVisitor();
  attacker.cookies.set(cookieName, planted ?? '');
  t.equal(
    (await attacker.get('/account')).location,
    '/login?to=account',
    'who planted the secret is not signed in',
  );
});

t.test('names: any letter case, with the primary domain, or the address', async (t) => {
  const organization = await makeHome(container, { domains: ['acme.example', 'old.example'] });
  await makePerson(container, organization, {
    userName: 'Søren',
    emails: [{ value: 'Soren@mail.example', primary: true }],
  });
  for (const name of ['søren', ' SØREN ', 'søren@ACME.example', 'soren@mail.example']) {
    t.equal((await signIn(newVisitor(), name)).status, 303, name);
  }
  for (const name of ['søren@old.example', 'soren', '', '@acme.example', 'x'.repeat(5000)]) {
    t.equal((await signIn(newVisitor(), name)).status, 400, name.slice(0, 20));
  }
});

t.test(
  'a name of two organizations: of the one who had it first, or with the scope or the domain',
  async (t) => {
    const first = await makeHome(container, { domains: ['first.example'] });
    const second = await makeHome(container);
    await makePerson(container, first, {
      userName: 'twin',
      emails: [{ value: 'twin@one.example', primary: true }],
    });
    await makePerson(container, second, {
      userName: 'twin',
      emails: [{ value: 'twin@two.example', primary: true }],
      password: 'Another-Horse-8',
    });
    t.equal((await signIn(newVisitor(), 'twin')).status, 303);
    t.equal((await signIn(newVisitor(), 'twin', 'Another-Horse-8')).status, 400);
    t.equal((await signIn(newVisitor(), 'twin@first.example')).status, 303);
    t.equal((await signIn(newVisitor(), 'twin@two.example', 'Another-Horse-8')).status, 303);
    const visitor = newVisitor();
    const flow = await waitingRequest(visitor, { scope: `openid urn:service:iam:org:id:${second.id}` });
    t.equal((await signIn(visitor, 'twin', goodPassword, flow)).status, 400);
    const answer = await signIn(visitor, 'twin', 'Another-Horse-8', flow);
    t.equal(answer.location, `/oauth/v2/authorize/callback?request=${flow}`);
    t.type((await container.authorizationRequests.find(flow))?.sessionId, 'string');
  },
);

t.test('another organization cannot make a name unusable', async (t) => {
  const mine = await makeHome(container, { domains: ['mine.example'] });
  const theirs = await makeHome(container);
  const userName = 'Greta';
  const emails = [{ value: 'greta@mine.example', primary: true }];
  const greta = await makePerson(container, mine, { userName, emails });
  const other = 'Another-Horse-8';
  await makePerson(container, theirs, { userName, emails, password: other });
  await makePerson(container, theirs, { userName: 'greta@mine.example', password: other });
  for (const name of ['greta@mine.example', 'GRETA@Mine.Example', `greta@${mine.id}`]) {
    const signedIn = await signIn(newVisitor(), name);
    t.equal(signedIn.status, 303, `${name} under the domain of the organization`);
    t.equal((await signIn(newVisitor(), name, other)).status, 400, name);
  }
  t.equal(
    (await signIn(newVisitor(), `greta@${theirs.id}`, other)).status,
    303,
    'without a domain, by its identifier',
  );

  const flow = async (visitor: Visitor, orgId: string) => {
    const application = await makeApplication(container, orgId);
    return waitingRequest(visitor, { clientId: application.id });
  };
  const visitor = newVisitor();
  const answer = await signIn(visitor, 'greta', goodPassword, await flow(visitor, mine.id));
  t.match(answer.location, /callback/, 'the organization of the application comes first');

  const [proved, planted] = [await makeHome(container), await makeHome(container)];
  const outside = [{ value: 'ida@mail.example', primary: true }];
  const ida = await makePerson(container, proved, { emails: outside });
  await makePerson(container, planted, { emails: outside, password: other });
  t.equal((await signIn(newVisitor(), 'ida@mail.example')).status, 303, 'she asserted the address first');
  t.equal((await signIn(newVisitor(), 'ida@mail.example', other)).status, 400);
  await container.mongo
    .collection<{ _id: string }>('users')
    .updateOne({ _id: ida.id }, { $set: { 'emails.0.verified': true } });
  t.equal((await signIn(newVisitor(), 'ida@mail.example')).status, 303, 'she proved it');

  const limit = container.config.loginMaxFailures;
  const aliases = ['greta@mine.example', `greta@${mine.id}`];
  for (let i = 0; i < limit; i++) {
    t.equal((await signIn(newVisitor(), aliases[i % 2] ?? '', 'Wrong-Horse-1')).status, 400);
  }
  for (const name of aliases)
    t.equal((await signIn(newVisitor(), name)).status, 400, 'the names of one person are counted together');
  t.equal((await eventsOf(greta.id)).filter((type) => type === 'user.locked').length, 1);
  const hint = (await signIn(newVisitor(), 'greta')).text;
  t.match(hint, /name="organization"/);
  t.match(
    (await signIn(newVisitor(), 'nobody.has.this')).text,
    /name="organization"/,
    'whether or not somebody has it',
  );
});

t.test('an address that is merely claimed is no name', async (t) => {
  const organization = await makeHome(container);
  await makePerson(container, organization, { emails: [{ value: 'real@mail.example', primary: true }] });
  await makePerson(container, organization, {
    emails: [{ value: 'real@mail.example', primary: true, verified: false } as never],
    password: 'Attacker-Horse-1',
  });
  t.equal((await signIn(newVisitor(), 'real@mail.example')).status, 303);
  t.equal((await signIn(newVisitor(), 'real@mail.example', 'Attacker-Horse-1')).status, 400);
});

t.test('a password that is replaced during its check does not sign in', async (t) => {
  const user = await makePerson(container, home);
  const { verify } = container.passwords;
  t.teardown(() => {
    container.passwords.verify = verify;
  });
  container.passwords.verify = async (...args) => {
    const right = await verify(...args);
    clock.advance(1);
    const change = { id: user.id, password: 'Another-Horse-8', editor: testEditor };
    await setPassword(container, { organization: home, ...change });
    return right;
  };
  const visitor = newVisitor();
  t.equal((await signIn(visitor, user.userName)).status, 400);
  container.passwords.verify = verify;
  t.same(await container.sessions.ofUser(user.id), []);
  t.equal((await signIn(visitor, user.userName, 'Another-Horse-8')).status, 303);
});

t.test('unknown, inactive, without password and wrong: one answer for one hash', async (t) => {
  const active = await makePerson(container, home);
  const inactive = await makePerson(container, home, { active: false });
  const bare = await makePerson(container, home, { password: null });
  const verify = container.passwords.verify;
  const answers = [];
  for (const [name, password] of [
    ['nobody.at.all', goodPassword],
    [inactive.userName, goodPassword],
    [bare.userName, goodPassword],
    [active.userName, 'Wrong-Horse-1'],
    [active.userName, 'x'.repeat(3000)],
  ] as const) {
    let hashes = 0;
    container.passwords.verify = (...args) => {
      hashes++;
      return verify(...args);
    };
    const answer = await signIn(newVisitor(), name, password);
    container.passwords.verify = verify;
    t.equal(hashes, 1, `${name}: one hash`);
    answers.push({
      status: answer.status,
      text: answer.text.replaceAll(name, '-').replace(/value="[^"]*"/g, ''),
    });
  }
  for (const answer of answers) t.same(answer, answers[0]);
  t.equal(answers[0]?.status, 400);
  t.match(await eventsOf(active.id), ['user.human.added', 'user.human.password.check.failed']);
});

/** A password with an umlaut as one character, and as a letter and a mark. */
const [composed, decomposed] = (['NFC', 'NFD'] as const).map((form) => 'Grün-Bühne-7'.normalize(form)) as [
  string,
  string,
];

t.test('a password signs in however its accents are typed, and a wrong one counts once', async (t) => {
  const other = (typed: string) => (typed === composed ? decomposed : composed);
  for (const set of [composed, decomposed]) {
    const user = await makePerson(container, home, { password: set });
    t.equal((await signIn(newVisitor(), user.userName, other(set))).status, 303, 'set by an administrator');
    await setPassword(container, {
      organization: home,
      id: user.id,
      password: other(set),
      editor: testEditor,
    });
    t.equal((await signIn(newVisitor(), user.userName, set)).status, 303, 'changed');
    // As an earlier version hashed what was typed.
    const { default: argon2 } = await import('argon2');
    const hash = await argon2.hash(set, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    await container.mongo
      .collection('users')
      .updateOne({ _id: user.id as never }, { $set: { password: { hash, changed: clock.now() } } });
    const earlier = (await eventsOf(user.id)).length;
    for (const typed of [composed, decomposed])
      t.equal((await signIn(newVisitor(), user.userName, typed)).status, 303, 'hashed by an earlier version');
    const limit = container.config.loginMaxFailures;
    for (let tries = 1; tries < limit; tries++)
      t.equal((await signIn(newVisitor(), user.userName, `${set}ü`)).status, 400);
    t.equal((await signIn(newVisitor(), user.userName, set)).status, 303, 'no lock yet');
    const later = (await eventsOf(user.id)).slice(earlier);
    t.equal(later.filter((type) => type === 'user.human.password.check.failed').length, limit - 1);
  }
});

t.test('a bcrypt hash of either form opens, and is replaced by one of the composed form', async (t) => {
  for (const was of [composed, decomposed]) {
    const user = await makePerson(container, home, { password: null });
    const hash = bcrypt.hashSync(was, 4);
    await container.mongo
      .collection('users')
      .updateOne({ _id: user.id as never }, { $set: { password: { hash, changed: clock.now() } } });
    t.equal(
      (await signIn(newVisitor(), user.userName, was === composed ? decomposed : composed)).status,
      303,
    );
    const stored = (await container.accounts.find(orgId, user.id))?.password?.hash ?? '';
    const { default: argon2 } = await import('argon2');
    t.equal(await argon2.verify(stored, composed), true);
  }
});

t.test('the length of a password is that of its composed form', async (t) => {
  const weak = (password: string) => errorIdOf(() => makePerson(container, home, { password }));
  const minimum = home.passwordPolicy.minLength;
  const filling = 'é'.repeat(minimum - 4);
  t.equal(await weak(`Ü${filling}7!`.normalize('NFD')), 'directory.passwordWeak', 'one character too short');
  t.equal(await weak(`Ü${filling}e7!`.normalize('NFD')), undefined);
  t.equal(await weak(`Ue${filling}77`.normalize('NFD')), 'directory.passwordWeak', 'an accent is no symbol');
  const longest = `Ü7!${'é'.repeat(197)}`;
  const user = await makePerson(container, home, { password: longest.normalize('NFD') });
  for (const form of ['NFC', 'NFD'] as const)
    t.equal((await signIn(newVisitor(), user.userName, longest.normalize(form))).status, 303, form);
  t.equal(await weak(`${longest}é`), 'directory.passwordWeak');
  t.equal((await signIn(newVisitor(), user.userName, `${longest}é`.normalize('NFD'))).status, 400);
});

t.test('a new password and its repetition may be typed differently, but not be the old one', async (t) => {
  const user = await makePerson(container, home, { password: composed });
  await requirePasswordChange(container, { orgId, id: user.id, editor: testEditor });
  const visitor = newVisitor();
  const asked = await visitor.follow(await signIn(visitor, user.userName, decomposed));
  const same = await visitor.fill(asked, { password: decomposed, repeated: decomposed });
  t.match(same, { status: 400, text: /the password that you have/ });
  const another = 'Blaue-Tür-8';
  const done = await visitor.fill(same, {
    password: another.normalize('NFC'),
    repeated: another.normalize('NFD'),
  });
  t.equal(done.status, 303);
  t.equal((await signIn(newVisitor(), user.userName, another.normalize('NFD'))).status, 303);
});

t.test('login names with markup and operators are text', async (t) => {
  const hostile = `"><img src=x onerror=alert(1)>'&`;
  const answer = await signIn(newVisitor(), hostile);
  t.equal(answer.status, 400);
  t.notMatch(answer.text, /<img/);
  t.match(answer.text, /&quot;&gt;&lt;img src=x/);
  const visitor = newVisitor();
  const [form] = formsOf((await visitor.get('/login')).text);
  for (const name of ['loginName[$ne]', 'loginName.$gt', '__proto__']) {
    const answered = await visitor.post('/login', { ...form?.hidden, [name]: 'x', password: goodPassword });
    t.equal(answered.status, 400, name);
  }
});

t.test('too many wrong passwords lock for a while, and an administrator unlocks', async (t) => {
  const user = await makePerson(container, home);
  const limit = container.config.loginMaxFailures;
  for (let i = 0; i < limit; i++)
    t.equal((await signIn(newVisitor(), user.userName, 'Wrong-Horse-1')).status, 400);
  const locked = await signIn(newVisitor(), user.userName);
  t.match(locked, { status: 429, headers: { 'retry-after': /^\d+$/ }, text: /Too many attempts/ });
  t.equal((await eventsOf(user.id)).filter((type) => type === 'user.locked').length, 1);
  for (let i = 0; i < limit; i++) await signIn(newVisitor(), 'unknown.name');
  t.equal((await signIn(newVisitor(), 'unknown.name')).status, 429, 'a name of nobody is locked alike');

  const url = `/admin/v1/orgs/${orgId}/users/${user.id}/unlock`;
  t.equal((await call(`POST ${url}`, { as: owner })).status, 204);
  t.equal((await signIn(newVisitor(), user.userName)).status, 303);
  t.match(await eventsOf(user.id), /user\.unlocked/);
});

t.test('many guesses at once do not exceed the limit', async (t) => {
  const user = await makePerson(container, home);
  const limit = container.config.loginMaxFailures;
  const answers = await Promise.all(
    Array.from({ length: limit + 6 }, () => signIn(newVisitor(), user.userName, 'Wrong-Horse-1')),
  );
  t.equal(answers.filter(({ status }) => status === 400).length, limit);
  t.equal(answers.filter(({ status }) => status === 429).length, 6);
});

t.test(
  'a bcrypt hash is replaced at the first login; a failing replacement does not fail the login',
  async (t) => {
    const user = await makePerson(container, home, { password: null });
    const hash = bcrypt.hashSync(goodPassword, 4);
    await container.mongo
      .collection('users')
      .updateOne({ _id: user.id as never }, { $set: { password: { hash, changed: clock.now() } } });
    const hasher = container.passwords.hash;
    container.passwords.hash = () => Promise.reject(new Error('no memory'));
    t.equal((await signIn(newVisitor(), user.userName)).status, 303);
    container.passwords.hash = hasher;
    t.equal((await container.accounts.find(orgId, user.id))?.password?.hash, hash);
    t.equal((await signIn(newVisitor(), user.userName, 'Wrong-Horse-1')).status, 400);
    t.equal((await signIn(newVisitor(), user.userName)).status, 303);
    t.match((await container.accounts.find(orgId, user.id))?.password?.hash, /^\$argon2id\$/);
    t.equal((await signIn(newVisitor(), user.userName)).status, 303);
  },
);

t.test('a bcrypt hash stays where it has not seen the whole password', async (t) => {
  const hashAfter = async (length: number) => {
    const user = await makePerson(container, home, { password: null });
    const password = 'é'.repeat(36);
    const hash = bcrypt.hashSync(password, 4);
    await container.mongo
      .collection('users')
      .updateOne({ _id: user.id as never }, { $set: { password: { hash, changed: clock.now() } } });
    t.equal((await signIn(newVisitor(), user.userName, password + 'x'.repeat(length))).status, 303);
    return (await container.accounts.find(orgId, user.id))?.password?.hash;
  };
  t.match(await hashAfter(0), /^\$argon2id\$/);
  t.match(await hashAfter(1), /^\$2/);
});

t.test('the second factor: asked for, each code once, and no session before', async (t) => {
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const visitor = newVisitor();
  const asked = await signIn(visitor, user.userName);
  t.equal(asked.location, '/login/code');
  t.equal((await visitor.get('/account')).location, '/login?to=account', 'the password alone is no session');
  const page = await visitor.get('/login/code');
  const wrong = await visitor.fill(page, { code: '000000' });
  t.match(wrong, { status: 400, text: /aria-invalid="true"/ });
  const code = totpCode(secret, totpStep(clock.now()));
  const another = newVisitor();
  await signIn(another, user.userName);
  const anotherPage = await another.get('/login/code');
  const both = await Promise.all([visitor.fill(page, { code }), another.fill(anotherPage, { code })]);
  t.same(both.map(({ status }) => status).sort(), [303, 400], 'of two at once one gets in');
  const late = newVisitor();
  await signIn(late, user.userName);
  t.equal((await late.fill(await late.get('/login/code'), { code })).status, 400, 'a used code is used up');
  const [session] = await container.sessions.ofUser(user.id);
  t.same(amrOf(session?.proofs ?? []), ['pwd', 'otp', 'mfa']);
  t.equal(
    (await newVisitor().get('/login/code')).location,
    '/login?again=1',
    'without a password there is nothing to confirm',
  );
});

t.test('a right password does not forget wrong codes', async (t) => {
  const user = await makePerson(container, home);
  await giveTotp(container, user);
  const visitor = newVisitor();
  let last = 0;
  for (let i = 0; i <= container.config.loginMaxFailures; i++) {
    await signIn(visitor, user.userName);
    last = (await visitor.fill(await visitor.get('/login/code'), { code: '000000' })).status;
  }
  t.equal(last, 429);
});

t.test('a request of another browser, or none, is refused with a page', async (t) => {
  const flow = await waitingRequest(newVisitor());
  for (const page of ['/login', '/login/select', '/login/register', '/login/code', '/login/new-password']) {
    const answer = await newVisitor().get(`${page}?request=${flow}`);
    t.match(
      answer,
      { status: 400, text: /This sign-in has ended/, headers: { 'cache-control': 'no-store' } },
      page,
    );
  }
  t.equal((await newVisitor().get('/login?request=nothing')).status, 400);
});

t.test('the pages of a deactivated application are those of none, and it gets no answer', async (t) => {
  const { id, application } = await makeApplication(container, orgId);
  const user = await makePerson(container, home);
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor, { clientId: id });
  t.match((await visitor.get(`/login?request=${flow}`)).text, application.name);
  await changeApplication(container, { orgId, id, editor: testEditor }, { active: false });
  const page = await visitor.get(`/login?request=${flow}`);
  t.equal(page.status, 200);
  t.notMatch(page.text, application.name);
  const signedIn = await visitor.fill(page, { loginName: user.userName, password: goodPassword });
  t.equal(signedIn.location, `/oauth/v2/authorize/callback?request=${flow}`);
  t.match(await visitor.follow(signedIn), { status: 400, text: /This sign-in has ended/ });
});

t.test('Redis away in the middle: a page with a way back', async (t) => {
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor);
  const { find } = container.authorizationRequests;
  container.authorizationRequests.find = () =>
    Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"));
  const answer = await visitor.get(`/login?request=${flow}`);
  container.authorizationRequests.find = find;
  t.match(answer, { status: 503, headers: { 'retry-after': '2' }, text: /Not available/ });
  t.match(answer.text, new RegExp(`href="[^"]*/login\\?request=${flow}"`));
  t.notMatch(answer.text, /Stream|at .*\.ts/);
});

t.test('hash work beyond the bounds: 503 with Retry-After, and no attempt is counted', async (t) => {
  const { AppError } = await import('#src/platform/errors.js');
  const { keyErrors } = await import('#src/keys/errors.js');
  const user = await makePerson(container, home);
  const { verify } = container.passwords;
  container.passwords.verify = () =>
    Promise.reject(new AppError(keyErrors.hashPoolSaturated, { retryAfterSeconds: 1 }));
  for (let i = 0; i < 12; i++) {
    t.match(await signIn(newVisitor(), user.userName), { status: 503, headers: { 'retry-after': '1' } });
  }
  container.passwords.verify = verify;
  t.equal((await signIn(newVisitor(), user.userName)).status, 303);
});

t.test('an attempt whose password was right counts no more, whatever follows', async (t) => {
  const user = await makePerson(container, home);
  const address = '203.0.113.41';
  const visitor = visit(app, container, { address });
  const failures = async () => {
    const subjects = [nameSubject(user.userName, ''), `address:${address}`, passwordSubject(user.id)];
    const all = await Promise.all(subjects.map((one) => container.loginAttempts.standing(one, 8)));
    return all.reduce((sum, one) => sum + one.failures, 0);
  };
  t.equal((await signIn(visitor, user.userName, 'wrong')).status, 400);
  t.equal(await failures(), 3, 'the name, the address and the account');
  const failing = async () => {
    t.equal((await signIn(visitor, user.userName)).status, 500);
  };
  await whileAway(t, [container.events, 'record'], failing);
  t.equal(await failures(), 1, 'that of the wrong password at the address, after an event that failed');
  await whileAway(t, [container.sessions, 'signIn'], failing);
  t.equal(await failures(), 1, 'and after a session that failed');
  t.equal((await signIn(visitor, user.userName)).status, 303);
  t.equal(await failures(), 1, 'nor after a sign-in');
});

t.test('a sign-in sends few messages to Redis', async (t) => {
  const user = await makePerson(container, home);
  const visitor = newVisitor();
  const page = await visitor.get(`/login?request=${await waitingRequest(visitor)}`);
  const redis = watchRedisCommands(container.redis);
  t.teardown(() => redis.stop());
  t.match(await visitor.fill(page, { loginName: user.userName, password: goodPassword }), { status: 303 });
  t.equal(redis.messages(), 3, redis.names.join(' '));
});

t.test('languages: ui_locales before the header', async (t) => {
  const words = { en: 'Sign in', de: 'Anmelden', fr: 'Se connecter', es: 'Iniciar sesión', it: 'Accedi' };
  for (const [language, word] of Object.entries(words)) {
    const page = await newVisitor(`${language}-XX,en;q=0.1`).get('/login');
    t.match(page.text, new RegExp(`<html lang="${language}">`));
    t.match(page.text, word);
  }
  const visitor = newVisitor('fr');
  const flow = await waitingRequest(visitor, { uiLocales: ['xx', 'de-AT'] } as never);
  t.match((await visitor.get(`/login?request=${flow}`)).text, /Anmelden/);
});

t.test('Redis lost everything in the middle: the sign-in goes on', async (t) => {
  const user = await makePerson(container, home);
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor);
  const page = await visitor.get(`/login?request=${flow}`);
  const { redis, config } = container;
  await removeKeys(redis, await keysOf(redis, `${config.redisPrefix}:*`));
  const answer = await visitor.fill(page, { loginName: user.userName, password: goodPassword });
  t.match(answer, { status: 303, location: `/oauth/v2/authorize/callback?request=${flow}` });
});

t.test('an address that fails too often waits for every login name; successes do not count', async (t) => {
  const user = await makePerson(container, home);
  const address = '2001:db8:1:2::1';
  const limit = container.config.loginMaxFailuresPerAddress;
  const newHere = () => visit(app, container, { address });
  for (let i = 0; i < 3; i++) await signIn(newHere(), user.userName);
  for (let i = 0; i < limit; i++) {
    await container.loginAttempts.begin('address:2001:db8:1:2', limit);
  }
  t.equal((await signIn(newHere(), user.userName)).status, 429);
  t.equal(
    (await signIn(visit(app, container, { address: '2001:db8:1:2:ffff::9' }), user.userName)).status,
    429,
  );
  t.equal((await signIn(visit(app, container, { address: '2001:db8:1:3::1' }), user.userName)).status, 303);
});

/** Fails as often as it takes to lock an address, and a login name. */
async function attack({ address, userName }: { address: string; userName: string }) {
  const { loginMaxFailures, loginMaxFailuresPerAddress } = container.config;
  for (let i = 0; i < loginMaxFailuresPerAddress; i++)
    await container.loginAttempts.begin(`address:${address}`, loginMaxFailuresPerAddress);
  for (let i = 0; i < loginMaxFailures; i++) await signIn(newVisitor(), userName, 'Wrong-Horse-1');
  t.equal((await signIn(newVisitor(), userName)).status, 429, 'the name is locked');
}

t.test('a browser of the person waits neither for its address nor for the login name', async (t) => {
  const address = '203.0.113.7';
  const user = await makePerson(container, home);
  const secret = await giveTotp(container, user);
  const another = await makePerson(container, home);
  clock.advance(60);
  const browser = visit(app, container, { address });
  t.equal((await signIn(browser, another.userName)).status, 303);
  const enterCode = async () => {
    clock.advance(60);
    const code = totpCode(secret, totpStep(clock.now()));
    return (await browser.fill(await browser.get('/login/code'), { code })).location ?? '';
  };
  t.equal((await signIn(browser, user.userName)).location, '/login/code');
  t.match(await enterCode(), /^\/account/);
  for (const { id } of await container.sessions.ofUser(user.id)) await container.sessions.end(user.id, id);
  await attack({ address, userName: user.userName });

  const stranger = visit(app, container, { address });
  t.equal((await signIn(stranger, another.userName)).status, 429, 'any other browser of the address waits');
  t.equal((await signIn(browser, another.userName)).status, 303, 'of each person who signed in there');
  t.equal((await signIn(browser, user.userName)).location, '/login/code');
  t.match(await enterCode(), /^\/account/, 'the code does not wait for the address');
  const third = await makePerson(container, home);
  t.equal((await signIn(browser, third.userName)).status, 429, 'of nobody else');
  await container.sessions.endAllOf(another.id);
  t.equal((await signIn(browser, another.userName)).status, 429, 'nor after the end of all sessions');

  const account = await browser.get('/account');
  const [form] = formsOf(account.text).filter(({ action }) => action.endsWith('/account/password'));
  clock.advance(60);
  const code = totpCode(secret, totpStep(clock.now()));
  const fields = { current: goodPassword, password: 'Another-Horse-8', repeated: 'Another-Horse-8', code };
  const changed = await browser.post('/account/password', { ...form?.hidden, ...fields });
  t.equal(changed.status, 303, 'and the account page takes the password and the code');
});

t.test('a browser of the person that guesses waits like any other', async (t) => {
  const user = await makePerson(container, home);
  const guesser = await makePerson(container, home);
  clock.advance(1);
  const browser = newVisitor();
  t.equal((await signIn(browser, user.userName)).status, 303);
  const { loginMaxFailures } = container.config;
  const statuses = [];
  for (let i = 0; i < 2 * loginMaxFailures + 1; i++) {
    if (i % 5 === 0) {
      const signedIn = await signIn(browser, guesser.userName);
      t.equal(signedIn.status, 303, 'a sign-in of somebody else renews the secret of the browser');
    }
    statuses.push((await signIn(browser, user.userName, 'Wrong-Horse-1')).status);
  }
  t.equal(statuses.indexOf(429), 2 * loginMaxFailures, 'its own attempts, then those of everybody');
  t.equal((await signIn(browser, user.userName)).status, 429);
  const locks = (await eventsOf(user.id)).filter((type) => type === 'user.locked');
  t.equal(locks.length, 2, 'the end of each is recorded');
});

t.test('a browser that knew an earlier password is any browser', async (t) => {
  const address = '203.0.113.8';
  const user = await makePerson(container, home);
  clock.advance(1);
  const thief = visit(app, container, { address });
  t.equal((await signIn(thief, user.userName)).status, 303);
  clock.advance(1);
  const change = { id: user.id, password: 'Another-Horse-8', editor: testEditor };
  await setPassword(container, { organization: home, ...change });
  await attack({ address, userName: user.userName });
  t.equal((await signIn(thief, user.userName, 'Another-Horse-8')).status, 429);
});

t.test('what failed sign-ins store has a bound, above which known browsers sign in', async (t) => {
  // Whatever other tests stored has expired for the clock.
  clock.advance(container.config.loginLockSeconds + 60);
  const small = await openAnother({ anonymousStoreMib: 0.004, smtpUrl: 'smtp://127.0.0.1:9' });
  const process = await serve(t, small);
  const visitOf = (address: string) => visit(process.app, small, { address });
  const user = await makePerson(container, home);
  clock.advance(1);
  const browser = visitOf('203.0.113.20');
  for (let i = 0; i < 12; i++)
    t.equal((await signIn(browser, user.userName)).status, 303, 'success stores nothing');
  const another = await makePerson(container, home);
  const { loginAttempts } = small;
  const ask = async (i: number) => {
    const visitor = visitOf(`192.0.2.${i}`);
    return visitor.fill(await visitor.get('/login/forgot'), { loginName: 'nobody' });
  };
  const forms = [];
  for (let i = 0; i < 12; i++) forms.push((await ask(i)).status);
  t.ok(forms.indexOf(503) > 1, `${forms}`);
  t.strictSame(new Set(forms.slice(forms.indexOf(503))), new Set([503]));
  t.equal((await ask(0)).status, 303, 'an address that is counted already');
  const newcomer = visitOf('192.0.2.40');
  const open = await makeHome(container, { login: { selfRegistration: true } });
  const flow = await waitingRequest(newcomer, { scope: `openid urn:service:iam:org:id:${open.id}` });
  const registration = { givenName: 'Bo', familyName: 'Ek', email: 'bo@mail.example', userName: 'bo' };
  const page = await newcomer.get(`/login/register?request=${flow}`);
  const registered = await newcomer.fill(page, { ...registration, password: goodPassword });
  t.match(
    registered,
    { status: 503, headers: { 'retry-after': /^\d+$/ } },
    'registrations have the same bound',
  );
  t.equal((await signIn(visitOf('203.0.113.21'), another.userName)).status, 303, 'forms stop no sign-in');

  const attacker = visitOf('203.0.113.22');
  const guessed = await makePerson(container, home);
  t.equal((await signIn(attacker, guessed.userName, 'Wrong-Horse-1')).status, 400);
  await loginAttempts.forget(`password:${guessed.id}`);
  const statuses = [];
  for (let i = 0; i < 12; i++) statuses.push((await signIn(attacker, `invented.${i}`)).status);
  const stored = statuses.indexOf(503);
  t.ok(stored > 1, `${stored} names are stored`);
  t.strictSame(new Set(statuses.slice(stored)), new Set([503]));
  const guess = await signIn(attacker, guessed.userName, 'Wrong-Horse-1');
  t.equal(guess.status, 400, 'no refusal tells that a name has an account');
  const refused = await signIn(visitOf('203.0.113.23'), another.userName);
  t.match(refused, { status: 503, headers: { 'retry-after': /^\d+$/ }, text: /Not available/ });
  t.equal((await signIn(attacker, 'invented.0')).status, 400, 'a name that is counted already');
  t.equal((await signIn(browser, user.userName)).status, 303, 'a browser of the person');
  t.equal((await browser.get('/account')).status, 200);
  const before = await small.loginAttempts.standing(`address:203.0.113.22`, 100);
  await signIn(attacker, 'invented.99');
  const after = await small.loginAttempts.standing(`address:203.0.113.22`, 100);
  t.equal(after.failures, before.failures, 'what is refused counts for nothing');

  clock.advance(container.config.loginLockSeconds + 60);
  t.equal((await signIn(visitOf('203.0.113.23'), another.userName)).status, 303, 'there is room again');
});

t.test('an entry whose life begins anew at the limit counts until it ends', async (t) => {
  const { loginLockSeconds } = container.config;
  const small = await openAnother({ anonymousStoreMib: 0.0005 });
  const { loginAttempts } = small;
  const begin = (subject: string) => loginAttempts.begin(subject, 2);
  clock.advance(loginLockSeconds + 120);
  await begin('name:late');
  clock.advance(loginLockSeconds - 60);
  t.ok((await begin('name:late')).last);
  clock.advance(120);
  await t.rejects(begin('name:new'), /attempts/, 'the entry is still there');
  t.notOk((await begin('name:late')).allowed);
  clock.advance(loginLockSeconds);
  t.ok((await begin('name:new')).allowed);
});

t.test('attempts of a name that is locked do not lock the address', async (t) => {
  const { loginMaxFailures, loginMaxFailuresPerAddress } = container.config;
  const locked = 'locked-at-an-address';
  const visitor = visit(app, container, { address: '2001:db8:1:4::1' });
  const before = await container.loginAttempts.begin('address:2001:db8:1:4', loginMaxFailuresPerAddress);
  t.ok(before.allowed);
  for (let i = 1; i < loginMaxFailuresPerAddress - loginMaxFailures - 1; i++) {
    await container.loginAttempts.begin('address:2001:db8:1:4', loginMaxFailuresPerAddress);
  }
  const statuses = [];
  for (let i = 0; i < loginMaxFailures + 3; i++) statuses.push((await signIn(visitor, locked)).status);
  t.same(statuses.slice(-3), [429, 429, 429], 'the name is locked');
  const user = await makePerson(container, home);
  t.equal((await signIn(visitor, user.userName)).status, 303, 'another person at the address signs in');
});

t.test('a header that means nothing to a page evades no limit', async (t) => {
  const limited = await buildTestApp(t, { rateLimitPerAddress: 3 });
  const statuses = [];
  for (let i = 0; i < 5; i++) {
    const headers = { authorization: `Bearer invented-${i}` };
    statuses.push((await limited.app.inject({ url: '/login', headers })).statusCode);
  }
  t.same(statuses, [200, 200, 200, 429, 429]);
});

t.test('a lock does not show that two login names mean the same user', async (t) => {
  const organization = await makeHome(container, {
    domains: ['lock.example'],
  });
  const user = await makePerson(container, organization);
  const [domain = ''] = organization.domains;
  const long = `${user.userName}@${domain}`;
  const limit = container.config.loginMaxFailures;
  for (let i = 0; i < limit; i++) t.equal((await signIn(newVisitor(), long, 'Wrong-Horse-9')).status, 400);
  t.equal((await signIn(newVisitor(), long)).status, 429, 'the name that was tried is locked');
  const [short, unknown] = await Promise.all(
    [user.userName, `nobody-${user.userName}`].map((name) => signIn(newVisitor(), name)),
  );
  t.equal(short?.status, 400, 'the other name of the account is refused, even with the right password');
  t.equal(unknown?.status, 400);
  const shown = (answer: typeof short, name: string) =>
    answer?.text.replaceAll(name, '').replace(/value="[^"]*"/g, '');
  t.equal(
    shown(short, user.userName),
    shown(unknown, `nobody-${user.userName}`),
    'like a name that nobody has',
  );

  const editor = { userId: 'test', service: 'test' };
  await unlockUser(container, { orgId: organization.id, id: user.id, editor });
  t.equal((await signIn(newVisitor(), long)).status, 303, 'an administrator unlocks every name of the user');
  t.equal((await signIn(newVisitor(), user.userName)).status, 303);
});
