import t from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { amrOf } from '#src/authentication/proofs/index.js';
import type { User } from '#src/directory/user.js';
import { makeTenant } from '../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const { container, app, call, clock, openAnother } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { orgId, owner } = await makeTenant(container);
const home = await container.organizations.find(orgId);
if (home === undefined) throw new Error('The organization is gone');
const limit = container.config.loginMaxFailures;

let lastAddress = 0;
const newVisitor = (of = app) => visit(of, container, { address: `198.51.100.${++lastAddress}` });

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

/** Begins to sign in, up to the page for the code. */
async function begin({ userName: loginName }: User, of = app): Promise<{ visitor: Visitor; page: Seen }> {
  const visitor = newVisitor(of);
  await visitor.fill(await visitor.get('/login'), { loginName, password: goodPassword });
  return { visitor, page: await visitor.get('/login/code?recovery=1') };
}

async function signIn(user: User, code: string): Promise<{ visitor: Visitor; answer: Seen }> {
  const { visitor, page } = await begin(user);
  return { visitor, answer: await visitor.fill(page, { code }) };
}

const codesOf = ({ text }: Seen) =>
  [...text.matchAll(/<li><code>([\w-]+)<\/code><\/li>/g)].map(([, code = '']) => code);
const typesOf = async ({ id }: User) =>
  (await container.events.search({ aggregateId: id, limit: 100, ascending: true })).map(({ type }) => type);
const factorOf = async ({ id }: User) => (await container.accounts.find(orgId, id))?.totp;

/** A person with a second factor, signed in, and its recovery codes. */
async function enrolled() {
  const user = await makePerson(container, home as NonNullable<typeof home>);
  const visitor = newVisitor();
  const fields = { loginName: user.userName, password: goodPassword };
  const account = await visitor.follow(await visitor.fill(await visitor.get('/login'), fields));
  const page = await visitor.get(/href="([^"]*\/account\/totp[^"]*)"/.exec(account.text)?.[1] ?? '');
  const secret = fromBase32(/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '');
  if (secret === undefined) throw new Error('no key');
  const answer = await visitor.fill(page, { password: goodPassword, code: nextCode(secret) });
  const shown = await visitor.follow(answer);
  return { user, visitor, secret, answer, shown, codes: codesOf(shown), page };
}

t.test('the key is shown as a picture, as a link and as text', async (t) => {
  const { page, user } = await enrolled();
  const href = /href="(otpauth:[^"]*)"/.exec(page.text)?.[1] ?? '';
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';
  t.match(href, `otpauth://totp/${encodeURIComponent(home?.name ?? '')}:${user.userName}?secret=${key}`);
  t.match(page.text, /<svg class="qr"/);
  t.ok(
    page.text.indexOf('id="password"') < page.text.indexOf('id="code"'),
    'the code is asked for after the password',
  );
});

t.test('ten codes are shown once, and stored as hashes', async (t) => {
  const { user, visitor, answer, shown, codes } = await enrolled();
  t.equal(new Set(codes).size, 10);
  t.match(answer.location, /^\/account\/recovery-codes\?session=/);
  t.equal(shown.headers['cache-control'], 'no-store');
  t.match(await visitor.get(answer.location ?? ''), { status: 200, text: /were shown already/ });
  t.same(codesOf(await visitor.get(answer.location ?? '')), []);
  const stored = JSON.stringify(await container.accounts.find(orgId, user.id));
  for (const code of codes) {
    t.notMatch(stored, code);
    t.notMatch(stored, code.replaceAll('-', ''));
  }
  t.equal((await factorOf(user))?.recovery?.length, 10);
  t.match((await visitor.get('/account')).text, /Codes left: 10\./);
  const events = JSON.stringify(
    await container.events.search({ aggregateId: user.id, limit: 99, ascending: true }),
  );
  t.notMatch(events, (await factorOf(user))?.recovery?.[0]);
});

t.test('each code signs in once, also if two requests use it at the same time', async (t) => {
  const { user, codes } = await enrolled();
  const [first = '', second = ''] = codes;
  const { visitor, answer } = await signIn(user, ` ${first.toLowerCase().replaceAll('-', ' ')} `);
  t.equal(answer.status, 303);
  t.match((await visitor.follow(answer)).text, /Codes left: 9\./);
  const [session] = await container.sessions.ofUser(user.id);
  t.same(amrOf(session?.proofs ?? []), ['pwd', 'otp', 'mfa']);
  t.match((await signIn(user, first)).answer, {
    status: 400,
    text: /recovery code is wrong or was already used/,
  });
  const begun = [await begin(user), await begin(user), await begin(user)];
  const answers = await Promise.all(begun.map(({ visitor, page }) => visitor.fill(page, { code: second })));
  t.same(answers.map(({ status }) => status).sort(), [303, 400, 400]);
  t.match(await typesOf(user), /user\.human\.mfa\.recovery\.check\.succeeded/);
  t.match(await typesOf(user), /user\.human\.mfa\.recovery\.check\.failed/);
});

t.test('codes work in any order, each once, and the last one too', async (t) => {
  const { user, codes } = await enrolled();
  for (const [used, code] of [...codes].reverse().entries()) {
    t.equal((await signIn(user, code)).answer.status, 303, `code ${used}`);
    t.equal((await signIn(user, code)).answer.status, 400, `code ${used} again`);
    t.equal((await factorOf(user))?.recovery?.length, 9 - used);
  }
  t.match((await signIn(user, codes[0] ?? '')).answer.status, 400, 'there is none left');
});

t.test('a code that several acts use at the same time, in several processes, does one of them', async (t) => {
  const { app: another } = await serve(t, await openAnother());
  for (let round = 0; round < 3; round++) {
    const { user, visitor, codes } = await enrolled();
    const [code = '', next = ''] = codes;
    const here = await begin(user);
    const there = await begin(user, another);
    const renewal = await visitor.get('/account/recovery-codes/new');
    const removal = await visitor.get('/account/totp/remove');
    const acts = [
      here.visitor.fill(here.page, { code }),
      there.visitor.fill(there.page, { code }),
      visitor.fill(renewal, { password: goodPassword, code }),
      visitor.fill(removal, { password: goodPassword, code }),
    ];
    const statuses = (await Promise.all(acts)).map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 303).length, 1, statuses.join(' '));
    const [, , renewed, removed] = statuses;
    const left = (await factorOf(user))?.recovery?.length;
    t.equal(left, removed === 303 ? undefined : renewed === 303 ? 10 : 9);
    const isOld = removed === 303 || renewed === 303;
    if (removed !== 303)
      t.equal((await signIn(user, next)).answer.status, isOld ? 400 : 303, 'another code of the set');
  }
});

t.test('a code of the old set that is used while a new set is made works before that or never', async (t) => {
  for (let round = 0; round < 3; round++) {
    const { user, visitor, secret, codes } = await enrolled();
    const { visitor: other, page } = await begin(user);
    const renewal = await visitor.get('/account/recovery-codes/new');
    const [signedIn, renewed] = await Promise.all([
      other.fill(page, { code: codes[0] ?? '' }),
      visitor.fill(renewal, { password: goodPassword, code: nextCode(secret) }),
    ]);
    t.ok([303, 400].includes(signedIn.status));
    t.equal(renewed.status, 303);
    t.equal((await factorOf(user))?.recovery?.length, 10);
    for (const code of codes.slice(0, 3))
      t.equal((await signIn(user, code)).answer.status, 400, 'the old set');
    const [fresh = ''] = codesOf(await visitor.follow(renewed));
    t.equal((await signIn(user, fresh)).answer.status, 303, 'the new set');
  }
});

t.test('the page of one-time codes takes them too, and those of another person do nothing', async (t) => {
  const { user, codes } = await enrolled();
  const other = await enrolled();
  t.equal((await signIn(other.user, codes[0] ?? '')).answer.status, 400);
  const { visitor } = await begin(user);
  t.equal((await visitor.fill(await visitor.get('/login/code'), { code: codes[0] ?? '' })).status, 303);
});

t.test('wrong codes of both kinds count together, and a lock holds for right ones', async (t) => {
  const { user, secret, codes } = await enrolled();
  const wrong = 'AAAA-BBBB-CCCC-DDDD';
  for (let i = 0; i < limit; i++) {
    const { answer } = await signIn(user, i % 2 === 0 ? wrong : '000000');
    t.equal(answer.status, 400);
  }
  t.match((await signIn(user, codes[0] ?? '')).answer, { status: 429, headers: { 'retry-after': /^\d+$/ } });
  t.equal((await signIn(user, nextCode(secret))).answer.status, 429);
  t.equal((await factorOf(user))?.recovery?.length, 10, 'a refused code is not used up');
  t.equal((await typesOf(user)).filter((type) => type === 'user.locked').length, 1);
});

t.test('new codes need the password and a code, and replace the old ones', async (t) => {
  const { user, visitor, secret, codes } = await enrolled();
  const page = await visitor.get('/account/recovery-codes/new');
  const refused = [
    [{ password: 'Wrong-Horse-1', code: nextCode(secret) }, /id="password-error"/],
    [{ password: goodPassword, code: '000000' }, /id="code-error"/],
    [{ password: goodPassword, code: 'AAAA-BBBB-CCCC-DDDD' }, /id="code-error"/],
  ] as const;
  for (const [fields, text] of refused) t.match(await visitor.fill(page, fields), { status: 400, text });
  t.equal((await factorOf(user))?.recovery?.length, 10);
  const renewed = await visitor.fill(page, { password: goodPassword, code: codes[0] ?? '' });
  t.equal(renewed.status, 303);
  const fresh = codesOf(await visitor.follow(renewed));
  t.equal(fresh.length, 10);
  t.match(await typesOf(user), /user\.human\.mfa\.recovery\.added/);
  t.equal((await signIn(user, codes[1] ?? '')).answer.status, 400, 'an old code');
  t.equal((await signIn(user, fresh[0] ?? '')).answer.status, 303, 'a new one');
  t.equal((await visitor.get('/account')).status, 200, 'nobody was signed out');
});

t.test('they go with the factor: a code removes it, and the next factor has others', async (t) => {
  const { user, visitor, codes } = await enrolled();
  const removal = await visitor.get('/account/totp/remove');
  t.equal((await visitor.fill(removal, { password: goodPassword, code: codes[0] ?? '' })).status, 303);
  t.equal(await factorOf(user), undefined);
  t.equal((await visitor.get('/account/recovery-codes/new')).location?.startsWith('/account?'), true);
  await giveTotp(container, user);
  t.equal((await signIn(user, codes[1] ?? '')).answer.status, 400);
  t.match((await factorOf(user))?.recovery, undefined);

  const another = await enrolled();
  const url = `DELETE /admin/v1/orgs/${orgId}/users/${another.user.id}/totp`;
  t.equal((await call(url, { as: owner })).status, 204);
  t.equal(await factorOf(another.user), undefined);
});

t.test('codes that are shown belong to one session', async (t) => {
  const { user, visitor, secret } = await enrolled();
  const page = await visitor.get('/account/recovery-codes/new');
  await visitor.fill(page, { password: goodPassword, code: nextCode(secret) });
  const elsewhere = newVisitor();
  await elsewhere.fill(await elsewhere.get('/login'), { loginName: user.userName, password: goodPassword });
  await elsewhere.fill(await elsewhere.get('/login/code'), { code: nextCode(secret) });
  t.same(codesOf(await elsewhere.get('/account/recovery-codes')), []);
  t.equal((await newVisitor().get('/account/recovery-codes')).location, '/login?to=account');
  t.equal(codesOf(await visitor.get('/account/recovery-codes')).length, 10);
});

t.test('a second factor without codes gets some', async (t) => {
  const user = await makePerson(container, home as NonNullable<typeof home>);
  const secret = await giveTotp(container, user);
  const { visitor } = await begin(user);
  await visitor.fill(await visitor.get('/login/code'), { code: nextCode(secret) });
  t.match((await visitor.get('/account')).text, /You have none yet/);
  const page = await visitor.get('/account/recovery-codes/new');
  const answer = await visitor.fill(page, { password: goodPassword, code: nextCode(secret) });
  t.equal(codesOf(await visitor.follow(answer)).length, 10);
});
