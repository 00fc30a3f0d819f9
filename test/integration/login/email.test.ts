import t from 'tap';
import type { User } from '#src/directory/user.js';
import { until } from '../../../dev/until.js';
import { makeTenant, uniqueName } from '../../support/app/make.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { type Visitor, visit } from '../../support/oidc/visitor.js';

const mail = await startMailServer(t);
const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
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

t.test(
  'an address is changed with the password and the code that it got; the former one is told',
  async (t) => {
    const user = await makePerson(container, home, {
      emails: [
        { value: `${uniqueName('old')}@mail.example`, type: 'work', primary: true },
        { value: 'home@mail.example', type: 'home' },
      ],
    });
    const former = user.emails[0]?.value ?? '';
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
    await until(async () => mail.to(former).length > 0);
    t.match(mail.to(former)[0], /has another e-mail address now/);
    t.match(mail.to(former)[0], home.name);
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
  },
);

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
