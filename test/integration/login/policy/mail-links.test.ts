import t from 'tap';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/index.js';
import { until } from '../../../../dev/until.js';
import { testEditor, uniqueName } from '../../../support/app/make.js';
import { makeApplication, redirectUri } from '../../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { startMailServer } from '../../../support/network/mail-server.js';
import { type Seen, type Visitor, type VisitorOptions, visit } from '../../../support/oidc/visitor.js';

/** Links by mail as a first factor. */

const mail = await startMailServer(t);
const { app, container, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
  noticeMailsPerDay: 60,
});
const byMail: SignInPolicy = { firstFactors: ['mailLink', 'passkey'] };

let lastAddress = 0;
const newVisitor = (options: VisitorOptions = {}) =>
  visit(app, container, { address: `198.51.100.${++lastAddress % 250}`, ...options });

/** An organization with the policy, an application and a person of it. */
async function setting(policy: SignInPolicy = byMail) {
  const home = await makeHome(container, { signInPolicy: policy });
  const client = await makeApplication(container, home.id);
  const address = `${uniqueName('mailbox')}@mail.example`;
  const { firstFactors = ['password'] } = policy;
  const person = await makePerson(container, home, {
    emails: [{ value: address, primary: true }],
    ...(!firstFactors.includes('password') && { password: null }),
  });
  const change = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: () => ({ signInPolicy }), editor: testEditor });
  const query = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const authorize = (more = {}) => `/oauth/v2/authorize?${new URLSearchParams({ ...query, ...more })}`;
  return { home, address, person, change, authorize };
}
type Setting = Awaited<ReturnType<typeof setting>>;

/** Asks for a link on the way of a request, or for the account page. */
async function ask(visitor: Visitor, { userName }: Pick<User, 'userName'>, start = '/login/mail-link') {
  const login = await visitor.follow(await visitor.get(start));
  const [, offered] = /href="([^"]*\/login\/mail-link[^"]*)"/.exec(login.text) ?? [];
  const page = offered === undefined ? login : await visitor.get(offered.replaceAll('&amp;', '&'));
  return visitor.fill(page, { loginName: userName });
}

const linkIn = (text = '') => /(\/login\/mail-link\/open\?token=[\w-]+)/.exec(text)?.[1] ?? '';
async function linkAfter(address: string, earlier = 0): Promise<string> {
  await until(async () => mail.to(address).length > earlier);
  return linkIn(mail.to(address).at(-1));
}
/** A browser that asked for a link, and the link. */
async function begun(
  { person, address }: Setting,
  { visitor = newVisitor(), start = '/login/mail-link' } = {},
) {
  const earlier = mail.to(address).length;
  await ask(visitor, person, start);
  return { visitor, link: await linkAfter(address, earlier) };
}

const isSignedIn = async ({ id }: User) => (await container.sessions.ofUser(id)).length > 0;
const isArrived = ({ location }: Seen) =>
  location?.startsWith(redirectUri) === true && /[?&]code=/.test(location);

t.test('a link signs in where the policy allows it, and the request goes on', async (t) => {
  const made = await setting();
  const { person, home, address, authorize } = made;
  const { visitor, link } = await begun(made, { start: authorize({ state: 's1' }) });
  const [received = ''] = mail.to(address);
  for (const text of [home.name, person.userName, person.displayName]) t.notMatch(received, text);
  const page = await visitor.get(link);
  t.match(page, { status: 200, text: `You are about to sign in as ${person.userName}` });
  t.notOk(await isSignedIn(person), 'opening it changes nothing');
  const answer = await visitor.follow(await visitor.fill(page, {}));
  t.ok(isArrived(answer));
  t.match(answer.location, /state=s1/);
  const [session] = await container.sessions.ofUser(person.id);
  t.same(
    session?.proofs.map(({ kind }) => kind),
    ['mailLink'],
  );
  const events = await container.events.search({ aggregateId: person.id, limit: 9, ascending: false });
  t.ok(events.some(({ type }) => type === 'user.human.mail.link.check.succeeded'));
});

t.test('it leads to the account page too, also after a page that asks for the name alone', async (t) => {
  const made = await setting({ ...byMail, identifierFirst: true });
  const login = `/login?organization=${made.home.id}&to=account`;
  const { visitor, link } = await begun(made, { start: login });
  t.match((await visitor.fill(await visitor.get(link), {})).location, /^\/account\?session=/);
});

t.test('programs that open every link, and other browsers, sign in nobody', async (t) => {
  const made = await setting();
  const { visitor, link } = await begun(made);
  for (let i = 0; i < 3; i++) {
    const scanner = await newVisitor().get(link);
    t.match(scanner, { status: 400, text: /The link works only in the browser that asked for it/ });
    t.notMatch(scanner.text, made.person.userName);
  }
  const head = await app.inject({ method: 'HEAD', url: link });
  t.not(head.statusCode, 303);
  const thief = newVisitor();
  const own = await begun(await setting(), { visitor: thief });
  const page = await thief.get(own.link);
  const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
  const answer = await thief.follow(await thief.fill(page, { token }));
  t.match(answer, { status: 400, text: /The link works only in the browser/ });
  t.notOk(await isSignedIn(made.person));
  t.match((await visitor.fill(await visitor.get(link), {})).location, /^\/account\?/, 'it still works');
});

t.test('a link works once, also if two tabs use it at the same time, and not after 15 minutes', async (t) => {
  const made = await setting();
  const { visitor, link } = await begun(made);
  const page = await visitor.get(link);
  const both = await Promise.all([visitor.fill(page, {}), visitor.fill(page, {})]);
  t.equal(both.filter(({ location }) => location?.startsWith('/account?')).length, 1);
  t.match(await visitor.get(link), { status: 400, text: /This link does not work any more/ });
  const second = await begun(made);
  const token = new URLSearchParams(second.link.split('?')[1]).get('token') ?? '';
  const keys = await container.redis.keys(`${container.config.redisPrefix}:sign-in-link:*`);
  t.notMatch(keys.join(' '), token, 'the store has the hash alone');
  const life = await container.redis.pttl(keys[0] ?? '');
  t.ok(life > 14 * 60_000 && life <= 15 * 60_000);
  for (const wrong of ['', 'x', 'a'.repeat(5_000), token.slice(1)])
    t.equal((await second.visitor.get(`/login/mail-link/open?token=${wrong}`)).status, 400);
});

t.test('every name gets the same answer, and nobody gets a mail who may not sign in by it', async (t) => {
  const { home, person, address, change } = await setting();
  const forbidden = await setting({});
  const inactive = await makePerson(container, home, { active: false, password: null });
  const unproved = await makePerson(container, home, {
    password: null,
    emails: [{ value: `${uniqueName('unproved')}@mail.example`, primary: true, verified: false }],
  });
  const before = mail.mails.length;
  const names = [forbidden.person, inactive, unproved, { userName: uniqueName('nobody') }];
  const answers = [];
  for (const one of [person, ...names]) {
    const visitor = newVisitor();
    answers.push((await visitor.follow(await ask(visitor, one))).text);
  }
  await linkAfter(address);
  for (const text of answers) t.equal(text, answers[0]);
  t.match(answers[0], /If there is an account of this name/);
  t.equal(mail.mails.length, before + 1);
  await change({});
  const login = await newVisitor().get(`/login?organization=${home.id}`);
  t.notMatch(login.text, '/login/mail-link', 'the page of the organization offers it no more');
});

t.test('the answer waits for no look-up, so its time tells nothing', async (t) => {
  const { person } = await setting();
  const visitor = newVisitor();
  const page = await visitor.get('/login/mail-link');
  const { findAnywhere } = container.accounts;
  let asked = false;
  const never = () => {
    asked = true;
    return new Promise<never>(() => undefined);
  };
  Object.assign(container.accounts, { findAnywhere: never });
  t.teardown(() => Object.assign(container.accounts, { findAnywhere }));
  t.match((await visitor.fill(page, { loginName: person.userName })).location, /sent=1/);
  await until(async () => asked);
});

t.test('what changes in the middle holds at once', async (t) => {
  const write = ({ home, person }: Setting, profile: object) =>
    changeUser(container, {
      ...{ organization: home, id: person.id, editor: testEditor },
      change: (current) => ({ profile: { ...asInput(current), ...profile } }),
    });
  const rows: [string, (of: Setting) => Promise<unknown>][] = [
    ['the policy', ({ change }) => change({ firstFactors: ['password'] })],
    ['the person is deactivated', (of) => write(of, { active: false })],
    ['the address', (of) => write(of, { emails: [{ value: 'other@mail.example', primary: true }] })],
    ['a credential', ({ person }) => giveTotp(container, person)],
  ];
  for (const [what, happens] of rows) {
    const made = await setting();
    const { visitor, link } = await begun(made);
    const page = await visitor.get(link);
    await happens(made);
    const answer = await visitor.follow(await visitor.fill(page, {}));
    t.match(answer, { status: 400, text: /This link does not work any more/ }, what);
    t.notOk(await isSignedIn(made.person), what);
  }
});

t.test('a link is of its organization, and of the person that a request allows', async (t) => {
  const [here, there] = [await setting(), await setting()];
  const visitor = newVisitor();
  const scope = `openid urn:service:iam:org:id:${here.home.id}`;
  const before = mail.mails.length;
  await ask(visitor, there.person, here.authorize({ scope }));
  await begun(here, { visitor, start: here.authorize({ scope }) });
  t.same(mail.to(there.address), [], 'a request for one organization mails nobody of another');
  t.equal(mail.mails.length, before + 1);
});

t.test('a second factor is asked for after a link, and a mailed code is none', async (t) => {
  const demands: SignInPolicy['demands'] = [{ of: 'everybody', acr: '2', from: '2020-01-01' }];
  const made = await setting({ ...byMail, secondFactors: ['totp', 'mailCode'], demands });
  const first = await begun(made);
  const answer = await first.visitor.fill(await first.visitor.get(first.link), {});
  t.equal(answer.status, 403, 'the mailbox alone is not enough');
  await giveTotp(container, made.person);
  const second = await begun(made);
  const page = await second.visitor.follow(
    await second.visitor.fill(await second.visitor.get(second.link), {}),
  );
  t.match(page.url, /^\/login\/code/);
  t.notMatch(page.text, '/login/mail-code');
  t.match((await second.visitor.get('/login/mail-code')).location, /^\/login\/code/);
});

t.test(
  'strangers fill nobody’s mailbox, and keep nobody out of a browser that knows the person',
  async (t) => {
    const made = await setting({ firstFactors: ['mailLink', 'password'] });
    const { address, person } = made;
    const known = newVisitor();
    await known.fill(await known.get('/login'), { loginName: person.userName, password: goodPassword });
    for (let i = 0; i < 6; i++) await ask(newVisitor(), person);
    await until(async () => mail.to(address).length >= 3);
    await ask(newVisitor(), person);
    t.equal(mail.to(address).length, 3);
    await begun(made, { visitor: known });
    clock.advance(container.config.loginLockSeconds + 1);
    const sender = newVisitor({ address: '203.0.113.77' });
    const answers = [];
    for (let i = 0; i <= container.config.loginMaxFailuresPerAddress; i++)
      answers.push((await ask(sender, { userName: uniqueName('nobody') })).status);
    t.equal(answers.at(-1), 429, 'one address asks only so often');
  },
);

t.test('a header of the request chooses no address in the mail', async (t) => {
  const made = await setting();
  const { link } = await begun(made, { visitor: newVisitor({ host: 'evil.example' }) });
  t.match(link, /^\/login/);
  t.notMatch(mail.to(made.address).at(-1), /evil\.example/);
});
