import t from 'tap';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { makeTenant, uniqueName } from '../../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const cookieName = '__Host-muster-agent';
const flowCookie = '__Host-muster-flow';

const mail = await startMailServer(t);
const { container, app, call, clock, openAnother } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
  noticeMailsPerDay: 200,
});
const { orgId, owner } = await makeTenant(container);
const organization = await container.organizations.find(orgId);
if (organization === undefined) throw new Error('The organization is gone');
const home = organization;

let lastAddress = 0;
const newVisitor = (language = 'en') =>
  visit(app, container, { language, address: `198.51.100.${++lastAddress}` });

async function signedIn(user: User, language = 'en'): Promise<Visitor> {
  const visitor = newVisitor(language);
  const fields = { loginName: user.userName, password: goodPassword };
  const answer = await visitor.fill(await visitor.get('/login'), fields);
  t.equal(answer.status, 303);
  return visitor;
}

const newAddress = () => `${uniqueName('new')}@mail.example`;
const emailsOf = async ({ id }: User) => (await container.users.find(orgId, id))?.emails;
const codeIn = (text = '') => /^([0-9A-Z]{4}-[0-9A-Z]{4})$/m.exec(text)?.[1] ?? '';

/** Asks for a code. Returns it as the mail to the address has it. */
async function ask(visitor: Visitor, email: string): Promise<string> {
  const before = mail.to(email).length;
  const answer = await visitor.fill(await visitor.get('/account/email'), { email, password: goodPassword });
  t.match(answer, { status: 303, location: /^\/account\/email\/confirm\?/ });
  await until(async () => mail.to(email).length > before);
  return codeIn(mail.to(email).at(-1));
}

t.test('an address is changed with the password and the code that it got', async (t) => {
  const user = await makePerson(container, home, {
    emails: [
      { value: `${uniqueName('old')}@mail.example`, type: 'work', primary: true },
      { value: 'home@mail.example', type: 'home' },
    ],
  });
  const visitor = await signedIn(user);
  const email = newAddress();
  const code = await ask(visitor, email);
  const [received = ''] = mail.to(email);
  t.match(received, /Content-Type: multipart\/alternative/);
  t.match(received, /Content-Type: text\/plain/);
  t.match(received, /Content-Type: text\/html/);
  t.notMatch(received, home.name, 'its receiver may be a stranger');
  t.notMatch(received, user.userName);
  t.same(await emailsOf(user), user.emails, 'nothing has changed yet');

  const page = await visitor.get('/account/email/confirm');
  t.match(page.text, `sent to ${email}`);
  t.match(await visitor.fill(page, { code: 'AAAA-AAAA' }), { status: 400, text: /That code is wrong/ });
  const done = await visitor.fill(page, { code: code.toLowerCase().replace('-', ' ') });
  t.match(await visitor.follow(done), { status: 200, text: /Your e-mail address is confirmed/ });
  t.strictSame(await emailsOf(user), [
    { value: email, type: 'work', primary: true, verified: true },
    { value: 'home@mail.example', type: 'home', primary: false },
  ]);
  const events = await container.events.search({ aggregateId: user.id, limit: 99, ascending: true });
  t.match(events.at(-1), {
    type: 'user.human.changed',
    editor: { userId: user.id, service: 'account' },
    payload: { attributes: ['emails'] },
  });
  t.notMatch(JSON.stringify(events), code);

  const again = await signedIn({ ...user, userName: email });
  t.equal((await again.get('/account')).status, 200, 'it is a login name');
  t.equal((await visitor.fill(page, { code })).status, 400, 'a code works once');
});

t.test(
  'an address that only the organization asserted is proved, and one that is proved stays',
  async (t) => {
    const user = await makePerson(container, home);
    const own = user.emails[0]?.value ?? '';
    const visitor = await signedIn(user);
    t.match((await visitor.get('/account')).text, /Not verified/);
    t.match((await visitor.get('/account/email')).text, `value="${own}"`);
    const code = await ask(visitor, own);
    await visitor.fill(await visitor.get('/account/email/confirm'), { code });
    t.match(await emailsOf(user), [{ value: own, primary: true, verified: true }]);
    t.equal(mail.to(own).length, 1, 'nobody is told');
    const same = await visitor.fill(await visitor.get('/account/email'), {
      email: own,
      password: goodPassword,
    });
    t.match(same, { status: 400, text: /This is your address already/ });
  },
);

t.test('neither a wrong password nor a text that is no address sends anything', async (t) => {
  const user = await makePerson(container, home);
  const visitor = await signedIn(user);
  const page = await visitor.get('/account/email');
  const before = mail.mails.length;
  const rows = [
    [{ email: newAddress(), password: 'Wrong-Horse-1' }, /id="password-error"/],
    [{ email: 'no address', password: goodPassword }, /id="email-error"/],
    [{ email: 'a@b.example, c@d.example', password: goodPassword }, /id="email-error"/],
    [{ email: 'a@b.example\r\nBcc: c@d.example', password: goodPassword }, /id="email-error"/],
    [{ email: '"><script>@b.example', password: goodPassword }, /id="email-error"/],
  ] as const;
  for (const [fields, text] of rows) {
    const answer = await visitor.fill(page, fields);
    t.match(answer, { status: 400, text }, JSON.stringify(fields));
    t.equal(answer.text.split('<script').length, 2, 'only our script');
  }
  t.equal(mail.mails.length, before);
  t.equal((await visitor.get('/account/email/confirm')).location?.startsWith('/account/email?'), true);
  t.equal((await newVisitor().get('/account/email')).location, '/login?to=account');
});

t.test('five tries for a code, 15 minutes, and the latest code alone', async (t) => {
  const user = await makePerson(container, home);
  const visitor = await signedIn(user);
  const email = newAddress();
  const first = await ask(visitor, email);
  const second = await ask(visitor, email);
  const page = await visitor.get('/account/email/confirm');
  t.equal((await visitor.fill(page, { code: first })).status, 400);
  for (let i = 1; i < 5; i++) t.equal((await visitor.fill(page, { code: 'AAAA-AAAA' })).status, 400);
  t.match(await visitor.fill(page, { code: second }), { status: 400, text: /no longer valid/ });
  t.same(await emailsOf(user), user.emails);
  const keys = `${container.config.redisPrefix}:pending-email:${user.id}`;
  await ask(visitor, email);
  const life = await container.redis.pttl(keys);
  t.ok(life > 14 * 60_000 && life <= 15 * 60_000);
});

t.test('a code is of the person who asked for it', async (t) => {
  const [anna, bert] = [await makePerson(container, home), await makePerson(container, home)];
  const [hers, his] = [await signedIn(anna), await signedIn(bert)];
  const email = newAddress();
  const code = await ask(hers, email);
  const other = newAddress();
  await ask(his, other);
  t.equal((await his.fill(await his.get('/account/email/confirm'), { code })).status, 400);
  t.same(await emailsOf(bert), bert.emails);
});

t.test('neither a person nor a mailbox gets many codes', async (t) => {
  const user = await makePerson(container, home);
  const visitor = await signedIn(user);
  for (let i = 0; i < 3; i++) await ask(visitor, newAddress());
  const page = await visitor.get('/account/email');
  const refused = await visitor.fill(page, { email: newAddress(), password: goodPassword });
  t.match(refused, { status: 429, headers: { 'retry-after': /^\d+$/ }, text: /Too many attempts/ });

  const victim = newAddress();
  for (let i = 0; i < 3; i++) await ask(await signedIn(await makePerson(container, home)), victim);
  const next = await signedIn(await makePerson(container, home));
  const answer = await next.fill(await next.get('/account/email'), {
    email: victim.toUpperCase(),
    password: goodPassword,
  });
  t.equal(answer.status, 429);
  t.equal(mail.to(victim).length, 3);
  clock.advance(container.config.loginLockSeconds + 1);
  await ask(next, victim);
  const later = await next.fill(await next.get('/account/email'), { email: victim, password: goodPassword });
  const wait = Number(later.headers['retry-after']);
  t.ok(wait > container.config.loginLockSeconds, `the next wait is longer: ${wait} s`);
});

t.test('a link for a password that went to the former address ends', async (t) => {
  const user = await makePerson(container, home);
  const visitor = await signedIn(user);
  const url = `POST /admin/v1/orgs/${orgId}/users/${user.id}/one-time-links`;
  const { body } = await call(url, { as: owner });
  const code = await ask(visitor, newAddress());
  t.equal((await newVisitor().get(body.url)).status, 200);
  t.equal((await visitor.fill(await visitor.get('/account/email/confirm'), { code })).status, 303);
  t.equal((await newVisitor().get(body.url)).status, 400);
});

t.test('mail is in the language of the person', async (t) => {
  const user = await makePerson(container, home, { preferredLanguage: 'fr' });
  const visitor = await signedIn(user, 'de');
  const email = newAddress();
  await ask(visitor, email);
  t.match(mail.to(email)[0], /Bonjour/);
  const plain = await makePerson(container, home);
  const german = newAddress();
  await ask(await signedIn(plain, 'de'), german);
  t.match(mail.to(german)[0], /Guten Tag/, 'or of the browser');
});

const openHome = (login: object = {}) =>
  makeHome(container, { login: { selfRegistration: true, verifyEmail: true, ...login } });

interface Registering {
  readonly visitor: Visitor;
  readonly flow: string;
  readonly email: string;
  readonly userName: string;
  readonly answer: Seen;
}

/** Registers somebody who came from an application of the organization. */
async function register(
  of: Organization,
  given: { email?: string; userName?: string } = {},
): Promise<Registering> {
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor, of.id);
  const { email = newAddress(), userName = uniqueName('new') } = given;
  const fields = { givenName: 'Bo', familyName: 'Ek', email, userName, password: goodPassword };
  const answer = await visitor.fill(await visitor.get(`/login/register?request=${flow}`), fields);
  return { visitor, flow, email, userName, answer };
}

async function waitingRequest(visitor: Visitor, organizationId: string): Promise<string> {
  await visitor.get('/login');
  const flow = container.authorizationRequests.seal({
    ...{ id: newSecret(), clientId: 'some-client', redirectUri: 'https://client.example/callback' },
    ...{ responseType: 'code', responseMode: 'query', prompts: [], uiLocales: [], created: clock.now() },
    scope: `openid urn:service:iam:org:id:${organizationId}`,
    agentHash: hashSecret(visitor.cookies.get(cookieName) ?? ''),
  });
  visitor.cookies.set(flowCookie, flow);
  return flow;
}

const codeOf = async (email: string, count = 1) => {
  await until(async () => mail.to(email).length >= count);
  return codeIn(mail.to(email).at(-1));
};

async function personOf(of: Organization, userName: string): Promise<User | undefined> {
  const sort = { field: '_id', direction: 1 } as const;
  const { users } = await container.users.page(of.id, { sort, skip: 0, limit: 99 });
  return users.find((user) => user.userName === userName);
}

t.test('an organization demands the proof of the address before the first sign-in', async (t) => {
  const open = await openHome();
  const { visitor, flow, email, userName, answer } = await register(open);
  t.equal(answer.location, `/login/verify-email?request=${flow}`);
  t.equal((await container.authorizationRequests.find(flow))?.sessionId, undefined, 'no session begins');
  t.equal((await visitor.get('/account')).status, 303);
  const code = await codeOf(email);
  const [received = ''] = mail.to(email);
  t.notMatch(received, new RegExp(`Bo|Ek|${userName}|${open.name}`), 'its receiver may be a stranger');

  const page = await visitor.follow(answer);
  t.match(page, { status: 200, text: `sent to ${email}` });
  t.match(await visitor.fill(page, { code: 'AAAA-AAAA' }, '/login/verify-email'), {
    status: 400,
    text: /That code is wrong/,
  });
  const thief = newVisitor();
  await thief.get('/login');
  t.equal((await thief.get(`/login/verify-email?request=${flow}`)).status, 400, 'of one browser alone');
  t.equal((await thief.fill(page, { code }, '/login/verify-email')).status, 403);
  const otherTab = await visitor.get(`/login/verify-email?request=${flow}`);
  const done = await visitor.fill(page, { code }, '/login/verify-email');
  t.equal(done.location, `/oauth/v2/authorize/callback?request=${flow}`);
  const user = await personOf(open, userName);
  t.match(user?.emails, [{ value: email, primary: true, verified: true }]);
  const again = await visitor.fill(otherTab, { code }, '/login/verify-email');
  t.not(again.status, 200, 'a code works once');
  t.equal(await container.pendingEmails.find(user?.id ?? ''), undefined);

  const later = newVisitor();
  const signIn = await later.fill(await later.get('/login'), { loginName: email, password: goodPassword });
  t.match(signIn.location, /^\/account/, 'the address is a login name, and is not asked for again');
});

t.test(
  'the proof is asked at every sign-in until it is given, and sends other codes within limits',
  async (t) => {
    const open = await openHome();
    const { email, userName, flow: first, visitor: registrant } = await register(open);
    await codeOf(email);
    const visitor = newVisitor();
    const flow = await waitingRequest(visitor, open.id);
    const fields = { loginName: userName, password: goodPassword };
    const answer = await visitor.fill(await visitor.get(`/login?request=${flow}`), fields);
    t.equal(answer.location, `/login/verify-email?request=${flow}`);
    const former = await codeOf(email, 2);
    const page = await visitor.follow(answer);
    const other = (address: string) => visitor.fill(page, { email: address }, '/login/verify-email/code');
    t.match(await other('bo@'), { status: 400, text: /look like an e-mail address/ });
    t.match(await other(`${email}\r\nBcc: all@evil.example`), { status: 400 });
    const corrected = newAddress();
    t.match(await visitor.follow(await other(corrected)), {
      status: 200,
      text: new RegExp(`Another code is on its way(.|\n)*sent to ${corrected}|sent to ${corrected}(.|\n)*`),
    });
    const code = await codeOf(corrected);
    t.match(
      await visitor.fill(page, { code: former }, '/login/verify-email'),
      { status: 400 },
      'the former code',
    );
    t.match(
      await other(corrected),
      { status: 429, text: /Too many attempts/ },
      'three mails, and then a pause',
    );
    t.equal(mail.to(corrected).length, 1);
    const done = await visitor.fill(page, { code }, '/login/verify-email');
    t.equal(done.location, `/oauth/v2/authorize/callback?request=${flow}`);
    t.match((await personOf(open, userName))?.emails, [{ value: corrected, verified: true }]);
    const stale = await registrant.get(`/login/verify-email?request=${first}`);
    t.ok([200, 303].includes(stale.status));
  },
);

t.test('five wrong codes end a code', async (t) => {
  const open = await openHome();
  const { visitor, email, answer } = await register(open);
  const code = await codeOf(email);
  const page = await visitor.follow(answer);
  const send = (text: string) => visitor.fill(page, { code: text }, '/login/verify-email');
  for (let i = 0; i < 5; i++) t.match(await send('AAAA-AAAA'), { status: 400 });
  t.match(await send(code), { status: 400, text: /no longer valid/ });
});

t.test('a registration is answered alike, whether the address is known or not', async (t) => {
  const open = await openHome();
  const known = await makePerson(container, open);
  const proved = await register(open, { email: known.emails[0]?.value ?? '' });
  const unknown = await register(open);
  const shapeOf = async ({ answer, visitor, email, flow }: Registering) => {
    const page = await visitor.follow(answer);
    return [answer.status, answer.location, page.status, page.text]
      .join('\n')
      .replaceAll(email, 'ADDRESS')
      .replaceAll(flow, 'FLOW')
      .replace(/name="(?:csrf|response)" value="[^"]*"/g, '');
  };
  t.equal(await shapeOf(proved), await shapeOf(unknown));
  for (let i = 0; i < 4; i++) {
    const next = await register(open, { email: known.emails[0]?.value ?? '' });
    t.equal(await shapeOf(next), await shapeOf(unknown), 'also if the address gets no more mail');
  }
  t.ok(mail.to(known.emails[0]?.value ?? '').length <= 3);
});

t.test('the second factor comes before the proof, and is not left out by it', async (t) => {
  const open = await openHome();
  const emails = [{ value: newAddress(), primary: true, verified: false }];
  const user = await makePerson(container, open, { emails });
  await giveTotp(container, user);
  const visitor = newVisitor();
  const fields = { loginName: user.userName, password: goodPassword };
  t.equal((await visitor.fill(await visitor.get('/login'), fields)).location, '/login/code');
  t.equal((await visitor.get('/login/verify-email')).location, '/login/code');
});

t.test('without the demand, a registration mails a code for the account page', async (t) => {
  const open = await openHome({ verifyEmail: false });
  const { visitor, flow, email, userName, answer } = await register(open);
  t.equal(answer.location, `/oauth/v2/authorize/callback?request=${flow}`);
  t.match((await personOf(open, userName))?.emails, [{ value: email, verified: false }]);
  const code = await codeOf(email);
  t.match((await visitor.get('/account/email')).text, /I have a code/);
  await visitor.fill(await visitor.get('/account/email/confirm'), { code });
  t.match((await personOf(open, userName))?.emails, [{ value: email, verified: true }]);
});

t.test('a flood of registrations stops no code for people who were there before', async (t) => {
  const open = await openHome();
  const emails = [{ value: newAddress(), primary: true, verified: false }];
  const member = await makePerson(container, open, { emails });
  clock.advance(25 * 3_600);
  const most = container.config.noticeMailsPerDay;
  for (let sent = 0; sent < most; sent++) await container.dailyMails.begin(`proof-new-org:${open.id}`, most);
  const { email, visitor: stranger, answer } = await register(open);
  t.match((await stranger.follow(answer)).url, '/login/verify-email');
  const visitor = newVisitor();
  const fields = { loginName: member.userName, password: goodPassword };
  await visitor.follow(await visitor.fill(await visitor.get('/login'), fields));
  t.match(await codeOf(emails[0]?.value ?? ''), /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  t.same(mail.to(email), [], 'the limit of those who register is used up');
});

t.test('without a mail server nobody can be asked for a proof', async (t) => {
  const change = { login: { verifyEmail: true } };
  const without = await serve(t, await openAnother({ smtpUrl: '' }));
  const refused = await without.call(`PATCH /admin/v1/orgs/${orgId}`, { as: owner, body: change });
  t.match(refused, { status: 409, body: { id: 'directory.mailMissing' } });
  t.match(await call(`PATCH /admin/v1/orgs/${orgId}`, { as: owner, body: change }), {
    status: 200,
    body: change,
  });
  const open = await openHome();
  const visitor = visit(without.app, container);
  const flow = await waitingRequest(visitor, open.id);
  t.equal((await visitor.get(`/login/register?request=${flow}`)).status, 403, 'registration is closed');
  const emails = [{ value: newAddress(), primary: true, verified: false }];
  const user = await makePerson(container, open, { emails });
  const fields = { loginName: user.userName, password: goodPassword };
  const asked = await visitor.fill(await visitor.get('/login'), fields);
  t.match(await visitor.follow(asked), { status: 200, text: /cannot send mail at the moment/ });
});
