import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/index.js';
import { until } from '../../../../dev/until.js';
import { testEditor, uniqueName } from '../../../support/app/make.js';
import { makeApplication, redirectUri } from '../../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../../support/app/people.js';
import { buildTestApp, serve } from '../../../support/app/test-app.js';
import { startMailServer } from '../../../support/network/mail-server.js';
import { type Seen, type Visitor, type VisitorOptions, visit } from '../../../support/oidc/visitor.js';

/** Codes by mail as a second factor. */

const mail = await startMailServer(t);
const { app, container, clock, openAnother } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
  noticeMailsPerDay: 12,
});

const byMail: SignInPolicy = {
  secondFactors: ['totp', 'mailCode'],
  demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }],
};

let lastAddress = 0;
const newVisitor = (options: VisitorOptions = {}) =>
  visit(app, container, { address: `198.51.100.${++lastAddress % 250}`, ...options });

/** An organization with the policy, and a person of it. */
async function setting(policy: SignInPolicy = byMail) {
  const home = await makeHome(container, { signInPolicy: policy });
  const address = `${uniqueName('mailbox')}@mail.example`;
  const person = await makePerson(container, home, { emails: [{ value: address, primary: true }] });
  const change = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: () => ({ signInPolicy }), editor: testEditor });
  return { home, address, person, change };
}

async function withPassword(visitor: Visitor, { userName }: User, start = '/login'): Promise<Seen> {
  const page = await visitor.follow(await visitor.get(start));
  return visitor.fill(page, { loginName: userName, password: goodPassword }, '/login');
}

const codeIn = (text = '') => /^([0-9A-Z]{4}-[0-9A-Z]{4})$/m.exec(text)?.[1] ?? '';

/** The code of the mail that the address got after so many others. */
async function codeAfter(address: string, earlier: number): Promise<string> {
  await until(async () => mail.to(address).length > earlier);
  return codeIn(mail.to(address).at(-1));
}

/** A browser that was sent a code after the right password. */
async function begun({ person, address }: { person: User; address: string }, visitor = newVisitor()) {
  const earlier = mail.to(address).length;
  const answer = await withPassword(visitor, person);
  t.match(answer.location, /^\/login\/mail-code/);
  return { visitor, page: await visitor.get('/login/mail-code'), code: await codeAfter(address, earlier) };
}

const enter = (visitor: Visitor, page: Seen, code: string) =>
  visitor.fill(page, { code }, '/login/mail-code');
const sendAnother = (visitor: Visitor, page: Seen) => visitor.fill(page, {}, '/login/mail-code/send');
const isSignedIn = async ({ id }: User) => (await container.sessions.ofUser(id)).length > 0;
const wrongCode = 'AAAA-AAAA';

t.test('after the password, a code that was mailed signs in where the policy allows it', async (t) => {
  const { home, person, address } = await setting();
  const { visitor, page, code } = await begun({ person, address });
  t.match(page.text, /Your organization asks for a second factor/);
  t.match(page.text, 'm…@mail.example');
  t.notMatch(page.text, address, 'who has the password alone does not learn the address');
  const [received = ''] = mail.to(address);
  t.match(received, /somebody may know your password/);
  for (const text of [home.name, person.userName, person.displayName]) t.notMatch(received, text);
  t.match(await enter(visitor, page, wrongCode), { status: 400, text: /That code is wrong/ });
  const answer = await enter(visitor, page, code.toLowerCase().replace('-', ' '));
  t.match(answer.location, /^\/account\?session=/);
  const [session] = await container.sessions.ofUser(person.id);
  t.same(
    session?.proofs.map(({ kind }) => kind),
    ['password', 'mailCode'],
  );
  const events = await container.events.search({ aggregateId: person.id, limit: 99, ascending: true });
  const types = events.map(({ type }) => type).filter((type) => type.includes('.mail.'));
  t.same(types, ['user.human.mfa.mail.check.failed', 'user.human.mfa.mail.check.succeeded']);
  t.notMatch(JSON.stringify(events), code);
});

t.test('applications are told of one factor, and a demand of two is not met by mail', async (t) => {
  const { home, person, address } = await setting();
  const client = await makeApplication(container, home.id);
  const query = { client_id: client.id, redirect_uri: redirectUri, scope: 'openid', nonce: 'n' };
  const authorize = (more = {}) =>
    `/oauth/v2/authorize?${new URLSearchParams({ ...query, response_type: 'code', ...more })}`;
  const visitor = newVisitor();
  const answer = await withPassword(visitor, person, authorize());
  t.match(answer.location, /^\/login\/mail-code\?request=/);
  const page = await visitor.follow(answer);
  const done = await visitor.follow(await enter(visitor, page, await codeAfter(address, 0)));
  t.match(done.location, /[?&]code=/, 'the request goes on');
  t.match((await visitor.get(authorize({ prompt: 'none' }))).location, /[?&]code=/, 'so does a session');
  const essential = JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } });
  const refused = await visitor.get(authorize({ prompt: 'none', claims: essential }));
  t.match(refused.location, /error=login_required/);
});

t.test('opening the page mails nothing, and the page of an app leads to it', async (t) => {
  const { person, address } = await setting();
  await giveTotp(container, person);
  const visitor = newVisitor();
  const page = await visitor.follow(await withPassword(visitor, person));
  t.match(page.url, /^\/login\/code/);
  t.match(page.text, /href="[^"]*\/login\/mail-code">Get a code by mail/);
  const offer = await visitor.get('/login/mail-code');
  t.match(offer.text, /We send a code to m…@mail.example/);
  t.match(offer.text, /href="[^"]*\/login\/code">/);
  t.same(mail.to(address), []);
  t.equal((await sendAnother(visitor, offer)).status, 303);
  const code = await codeAfter(address, 0);
  const form = await visitor.get('/login/mail-code');
  t.match((await enter(visitor, form, code)).location, /^\/account\?session=/);
});

t.test('nobody gets a code without the password, the policy or an address that counts', async (t) => {
  const { home, change, person, address } = await setting();
  t.match((await newVisitor().get('/login/mail-code')).location, /^\/login\?/);
  const unproved = await makePerson(container, home, {
    emails: [{ value: `${uniqueName('unproved')}@mail.example`, primary: true, verified: false }],
  });
  t.equal((await withPassword(newVisitor(), unproved)).status, 403);
  await change({ ...byMail, secondFactors: ['totp'] });
  t.equal((await withPassword(newVisitor(), person)).status, 403);
  await change({});
  t.match((await withPassword(newVisitor(), person)).location, /^\/account\?session=/);
  t.same([mail.to(address), mail.to(unproved.emails[0]?.value ?? '')], [[], []]);
});

t.test(
  'a code counts in the browser that asked for it, once, and no code of another kind does',
  async (t) => {
    const { person, address } = await setting();
    const first = await begun({ person, address });
    const other = await begun({ person, address });
    t.match(await enter(other.visitor, other.page, first.code), { status: 400, text: /That code is wrong/ });
    t.match(await enter(first.visitor, first.page, other.code), { status: 400, text: /That code is wrong/ });
    const another = await sendAnother(first.visitor, first.page);
    const replacing = await codeAfter(address, 2);
    t.match((await first.visitor.follow(another)).text, /The former one no longer works/);
    t.match(await enter(first.visitor, first.page, first.code), { status: 400 }, 'it was replaced');
    const both = await Promise.all([1, 2].map(() => enter(first.visitor, first.page, replacing)));
    const arrived = both.filter(({ location }) => location?.startsWith('/account?session='));
    t.equal(arrived.length, 1, 'of two uses at once, one counts');
    t.equal((await container.sessions.ofUser(person.id)).length, 1);
    t.notOk(
      (await enter(first.visitor, first.page, replacing)).location?.startsWith('/account?'),
      'a replay',
    );
  },
);

t.test('a code has five tries and 15 minutes', async (t) => {
  const { person, address } = await setting();
  const { visitor, page, code } = await begun({ person, address });
  for (let i = 0; i < 5; i++) t.equal((await enter(visitor, page, wrongCode)).status, 400);
  t.match(await enter(visitor, page, code), { status: 400 });
  t.match(await enter(visitor, page, code), { status: 400, text: /no longer valid/ });
  t.notOk(await isSignedIn(person));
  await sendAnother(visitor, page);
  await codeAfter(address, 1);
  const [key = ''] = await container.redis.keys(`${container.config.redisPrefix}:mail-code:*`);
  const life = await container.redis.pttl(key);
  t.ok(life > 14 * 60_000 && life <= 15 * 60_000);
});

t.test('codes guessed in many windows and processes count together, and lock every browser', async (t) => {
  const { person, address } = await setting();
  const elsewhere = await serve(t, await openAnother());
  const windows = [
    await begun({ person, address }),
    await begun({ person, address }, visit(elsewhere.app, container, { address: '203.0.113.9' })),
    await begun({ person, address }),
  ] as const;
  const [one, two, three] = windows;
  for (let i = 0; i < 5; i++) {
    t.equal((await enter(one.visitor, one.page, wrongCode)).status, 400);
    t.equal((await enter(two.visitor, two.page, wrongCode)).status, 400);
  }
  t.match(await enter(three.visitor, three.page, three.code), { status: 429, text: /Too many attempts/ });
  t.notOk(await isSignedIn(person), 'the right code is refused too');
  const asked = await sendAnother(three.visitor, three.page);
  t.match(asked, { status: 429, headers: { 'retry-after': /^\d+$/ } }, 'three mails, and no fourth');
  t.equal(mail.to(address).length, 3);
  clock.advance(container.config.loginLockSeconds + 1);
  t.match((await enter(three.visitor, three.page, three.code)).location, /^\/account\?session=/);
});

t.test('what changes in the middle holds at once', async (t) => {
  const rows: [string, (of: Awaited<ReturnType<typeof setting>>) => Promise<unknown>][] = [
    ['the policy', ({ change }) => change({ ...byMail, secondFactors: ['totp'] })],
    [
      'the person is deactivated',
      ({ home, person }) =>
        changeUser(container, {
          ...{ organization: home, id: person.id, editor: testEditor },
          change: (current) => ({ profile: { ...asInput(current), active: false } }),
        }),
    ],
    [
      'the address',
      ({ home, person }) =>
        changeUser(container, {
          ...{ organization: home, id: person.id, editor: testEditor },
          change: (current) => ({
            profile: { ...asInput(current), emails: [{ value: 'other@mail.example', primary: true }] },
          }),
        }),
    ],
  ];
  for (const [what, happens] of rows) {
    const made = await setting();
    const { visitor, page, code } = await begun(made);
    await happens(made);
    await visitor.follow(await enter(visitor, page, code));
    t.notOk(await isSignedIn(made.person), what);
  }
});

t.test('neither a header of the request nor many requests reach the mail of others', async (t) => {
  const { home, person, address } = await setting();
  const hostile = newVisitor({ host: 'evil.example' });
  await withPassword(hostile, person);
  await codeAfter(address, 0);
  t.notMatch(mail.to(address).at(-1), /evil\.example/);

  // A shared mailbox gets no flood either.
  const colleagues = [];
  for (let i = 0; i < 4; i++)
    colleagues.push(await makePerson(container, home, { emails: [{ value: address, primary: true }] }));
  for (const one of colleagues) await withPassword(newVisitor(), one);
  await until(async () => mail.to(address).length >= 3);
  t.equal(mail.to(address).length, 3);

  // Refused mails of one person use up nothing of the organization.
  const loud = await setting();
  const { visitor, page } = await begun(loud);
  for (let i = 0; i < 20; i++) await sendAnother(visitor, page);
  t.equal(mail.to(loud.address).length, 3);
  const emails = [{ value: `${uniqueName('quiet')}@mail.example`, primary: true }];
  const quiet = await makePerson(container, loud.home, { emails });
  await begun({ person: quiet, address: emails[0]?.value ?? '' });

  // The whole organization has a bound in a day.
  const many = await setting();
  let sent = 0;
  for (let i = 0; i < 15; i++) {
    const value = `${uniqueName('many')}@mail.example`;
    const one = await makePerson(container, many.home, { emails: [{ value, primary: true }] });
    const browser = newVisitor();
    await withPassword(browser, one);
    if (/name="code"/.test((await browser.get('/login/mail-code')).text)) sent++;
  }
  t.equal(sent, 12);
});

t.test('a new address is a new factor, so a password alone does not change it', async (t) => {
  const { person, address, change } = await setting();
  const { visitor, page, code } = await begun({ person, address });
  await enter(visitor, page, code);
  const form = await visitor.get('/account/email');
  t.equal(form.status, 200, 'soon after both factors');
  clock.advance(3600);
  const typed = { email: 'thief@mail.example', password: goodPassword };
  t.match((await visitor.get('/account/email')).location, /^\/account\/confirm/);
  t.match((await visitor.fill(form, typed, '/account/email')).location, /^\/account\/confirm/);
  t.same(mail.to('thief@mail.example'), []);
  await change({});
  t.equal(
    (await visitor.get('/account/email')).status,
    200,
    'where mail is no factor, the password is enough',
  );
});

t.test('no mailed code follows the password of an owner who breaks the glass', async (t) => {
  const { home, person, change } = await setting();
  await addMembership(container, {
    userId: person.id,
    role: 'ORG_OWNER',
    orgId: home.id,
    editor: testEditor,
  });
  await giveTotp(container, person);
  await change({ ...byMail, firstFactors: ['connection'], breakGlassOwners: [person.id] });
  const visitor = newVisitor();
  const asked = await withPassword(visitor, person);
  t.match(asked.location, /^\/login\/code/);
  t.notMatch(
    (await visitor.follow(asked)).text,
    /mail-code/,
    'whoever reads the mailbox can set the password too',
  );
  t.match((await visitor.get('/login/mail-code')).location, /^\/login\/code/);
});
