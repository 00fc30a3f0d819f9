import t from 'tap';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { recoveryCodeHashes } from '#src/authentication/second-factor/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { asInput, changeUser } from '#src/people/users/index.js';
import { makeOrganization, makeTenant, testEditor } from '../../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { formsOf, type Seen, type Visitor, visit } from '../../../support/oidc/visitor.js';
import { type Otherwise, optionsIn, SoftAuthenticator } from '../../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';

const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const orgId = home.id;
const { origin } = new URL(container.config.baseUrl);
const path = '/login/enrol-passkey';

async function setPolicy(signInPolicy: SignInPolicy, id = orgId) {
  await changeOrganization(container, { orgId: id, change: { signInPolicy }, editor: testEditor });
}

const demand = (acr: '2' | 'phr', from: string, more: SignInPolicy = {}) =>
  setPolicy({ ...more, demands: [{ of: 'everybody', acr, from }] });

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });
const passkeysOf = async ({ id, orgId: of }: User) =>
  (await container.accounts.find(of, id))?.passkeys?.count ?? 0;
const proofsOf = async ({ id }: User) =>
  (await container.sessions.ofUser(id))[0]?.proofs.map(({ kind }) => kind);

async function begin({ userName: loginName }: User) {
  const visitor = newVisitor();
  const answer = await visitor.fill(
    await visitor.get('/login'),
    { loginName, password: goodPassword },
    '/login',
  );
  return { visitor, answer };
}

async function link({ id: userId, orgId: of }: User) {
  return (await makeOneTimeLink(container, { orgId: of, userId, editor: testEditor })).secret;
}

/** Makes a passkey for the page. */
async function make(
  visitor: Visitor,
  {
    key = new SoftAuthenticator(),
    page,
    ...other
  }: Otherwise & { key?: SoftAuthenticator; page?: Seen } = {},
) {
  const shown = page ?? (await visitor.get(path));
  const response = key.create(optionsIn(shown.text, 'create'), origin, other);
  return { key, page: shown, answer: await visitor.fill(shown, { response }, path) };
}

async function signInWith(key: SoftAuthenticator) {
  const visitor = newVisitor();
  const page = await visitor.get('/login');
  const response = key.get(optionsIn(page.text, 'get'), origin);
  const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
  return visitor.post('/login/passkey', { ...hidden, response });
}

t.test('until the day, a sign-in asks for the passkey that it will demand, and it may wait', async (t) => {
  await demand('phr', '2090-05-01');
  const person = await makePerson(container, home);
  await giveTotp(container, await makePerson(container, home));
  const { visitor, answer } = await begin(person);
  t.match(answer.location, /^\/login\/enrol-passkey/);
  const page = await visitor.get(path);
  t.match(page.text, /From May 1, 2090 on, your organization demands/);
  t.notMatch(page.text, /href="[^"]*\/login\/enrol["?]/, 'one-time codes would not reach it');
  t.match((await visitor.fill(page, { later: '1' }, path)).location, /^\/account\?/, 'not now');
  t.equal(await passkeysOf(person), 0);
  const again = await begin(person);
  const { answer: added } = await make(again.visitor);
  t.match(added.location, /^\/account\?/);
  t.equal(await passkeysOf(person), 1);
  t.same(await proofsOf(person), ['password', 'passkey']);
  await demand('phr', '2020-01-01');
  t.match((await begin(person)).answer.location, /^\/login\/second-passkey/, 'from then on it is asked for');
});

t.test('a demand of two factors leads to either page', async (t) => {
  await demand('2', '2090-05-01');
  const person = await makePerson(container, home);
  const { visitor, answer } = await begin(person);
  t.match(answer.location, /^\/login\/enrol\?|^\/login\/enrol$/);
  t.match(
    (await visitor.get('/login/enrol')).text,
    /href="[^"]*\/login\/enrol-passkey"[^>]*>Set up a passkey/,
  );
  const { page, answer: added } = await make(visitor);
  t.match(page.text, /href="[^"]*\/login\/enrol"[^>]*>Set up an authenticator app/);
  t.match(added.location, /^\/account\?/);
});

t.test('from the day on, neither a password nor a code of the app leads to a passkey', async (t) => {
  await demand('phr', '2090-05-01');
  const person = await makePerson(container, home);
  const { visitor } = await begin(person);
  const page = await visitor.get(path);
  await demand('phr', '2020-01-01');
  t.match((await make(visitor, { page })).answer.location, /^\/login\?/, 'the policy changed in the middle');
  t.equal(await passkeysOf(person), 0);
  t.match((await begin(person)).answer, { status: 403, text: /Ask your administrator for a link/ });
  const second = await makePerson(container, home);
  await giveTotp(container, second);
  t.match((await begin(second)).answer, { status: 403 });
});

t.test('from the day on, a one-time link leads to the passkey, after a code of who has an app', async (t) => {
  await demand('phr', '2020-01-01');
  const person = await makePerson(container, home);
  const chosen = { password: goodPassword, repeated: goodPassword };
  const visitor = newVisitor();
  const form = await visitor.get(`/login/password?token=${await link(person)}`);
  t.match((await visitor.fill(form, chosen)).location, /^\/login\/enrol-passkey/);
  const page = await visitor.get(path);
  t.notMatch(page.text, /name="later"/);
  t.match((await visitor.fill(page, { later: '1' }, path)).text, /was not added/, 'it cannot wait');
  t.match((await make(visitor)).answer.location, /^\/account\?/);
  t.same(await proofsOf(person), ['password', 'passkey']);

  const second = await makePerson(container, home);
  await giveTotp(container, second);
  const other = newVisitor();
  const again = await other.get(`/login/password?token=${await link(second)}`);
  t.match((await other.fill(again, chosen)).location, /^\/login\/code/);
  t.match((await other.get(path)).location, /^\/login\/code/, 'the page before cannot be skipped');
  t.equal(await passkeysOf(second), 0);
});

/** Gives a person an app, a passkey where wanted, and recovery codes. */
async function withRecovery({ passkey }: { passkey: boolean }) {
  const person = await makePerson(container, home);
  const codes = ['AAAA-AAAA-AAAA-AAAA', 'BBBB-BBBB-BBBB-BBBB'];
  await giveTotp(container, person);
  const { version: expectedVersion } = (await container.accounts.find(orgId, person.id))?.user ?? person;
  await container.mongo.transactionOf(orgId, (transaction) =>
    container.accounts.setRecoveryCodes(
      orgId,
      { id: person.id, expectedVersion, now: clock.now(), recovery: recoveryCodeHashes(person.id, codes) },
      transaction,
    ),
  );
  if (passkey) await enrolPasskey(container, person);
  clock.advance(1);
  return { person, codes };
}

t.test('from the day on, a recovery code leads to the passkey', async (t) => {
  await demand('phr', '2020-01-01');
  const { person, codes } = await withRecovery({ passkey: false });
  const { visitor, answer } = await begin(person);
  t.match(answer.location, /^\/login\/code\?(?=.*recovery=1)/);
  const page = await visitor.get(answer.location ?? '');
  t.match(page.text, /With one of your recovery codes you can set one up/);
  t.notMatch(page.text, /Use your authenticator app/);
  t.match((await visitor.fill(page, { code: 'CCCC-CCCC-CCCC-CCCC' })).text, /recovery code is wrong/);
  t.match((await visitor.fill(page, { code: codes[0] ?? '' })).location, /^\/login\/enrol-passkey/);
  t.match((await make(visitor)).answer.location, /^\/account\?/);
  t.same(await proofsOf(person), ['password', 'recoveryCode', 'passkey']);
});

t.test('who lost a passkey sets up another one after a recovery code, and loses nothing by it', async (t) => {
  await demand('phr', '2020-01-01');
  const { person, codes } = await withRecovery({ passkey: true });
  const { visitor } = await begin(person);
  const recovery = '/login/code?recovery=1';
  const page = await visitor.get(recovery);
  const asked = await visitor.follow(await visitor.fill(page, { code: codes[0] ?? '' }));
  t.match(asked.url, /^\/login\/enrol-passkey/);
  t.match(asked.text, /Use a passkey/, 'the one that is there does as well');
  t.match((await make(visitor)).answer.location, /^\/account\?/);
  t.equal(await passkeysOf(person), 2);
});

t.test('recovery codes of an app that is not allowed lead nowhere', async (t) => {
  await demand('phr', '2020-01-01', { secondFactors: ['passkey'] });
  const { person } = await withRecovery({ passkey: false });
  t.match((await begin(person)).answer, { status: 403 });
});

t.test('where passwords are off, a one-time link leads to a passkey and to nothing else', async (t) => {
  await setPolicy({ firstFactors: ['passkey'] });
  const person = await makePerson(container, home, { password: null });
  const token = await link(person);
  const visitor = newVisitor();
  const page = await visitor.get(`/login/password?token=${token}`);
  t.match(page, { status: 200, text: /Your organization has no passwords/ });
  t.notMatch(page.text, /name="password"/);
  t.match(await visitor.get(`/login/password?token=${token}`), { status: 200 }, 'a scanner uses up nothing');
  t.match((await visitor.fill(page, {}, '/login/password')).location, /^\/login\/enrol-passkey/);
  t.equal((await container.sessions.ofUser(person.id)).length, 0, 'the link alone signs in nobody');
  const { text } = await visitor.get(path);
  t.match(text, /You sign in here with a passkey/);
  t.match(optionsIn(text, 'create'), {
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  t.match(
    (await make(visitor, { flags: 0x41 })).answer.text,
    /was not added/,
    'a touch would sign in nobody later',
  );
  t.equal(await passkeysOf(person), 0);
  const { key, answer } = await make(visitor);
  t.match(answer.location, /^\/account\?/);
  t.same(await proofsOf(person), ['oneTimeLink', 'passkey']);
  t.match((await signInWith(key)).location, /^\/account\?/);
  const types = (await container.events.search({ aggregateId: person.id, limit: 20, ascending: true })).map(
    ({ type }) => type,
  );
  t.ok(types.includes('user.human.link.check.succeeded'));
  const late = newVisitor();
  t.match(await late.get(`/login/password?token=${token}`), { status: 400, text: /does not work any more/ });
});

t.test('a link that several browsers use at once leads one of them on', async (t) => {
  await setPolicy({ firstFactors: ['passkey'] });
  const person = await makePerson(container, home, { password: null });
  const token = await link(person);
  const answers = await Promise.all(
    [1, 2, 3].map(async () => {
      const visitor = newVisitor();
      return visitor.fill(await visitor.get(`/login/password?token=${token}`), {}, '/login/password');
    }),
  );
  t.equal(answers.filter(({ location }) => location?.startsWith(path)).length, 1);
});

t.test('where only other providers sign in, a link says so and stays', async (t) => {
  await setPolicy({ firstFactors: ['connection'] });
  const person = await makePerson(container, home, { password: null });
  const token = await link(person);
  const visitor = newVisitor();
  const page = await visitor.get(`/login/password?token=${token}`);
  t.match(page, { status: 200, text: /Sign in another way/ });
  t.notMatch(page.text, /name="password"/);
  await setPolicy({});
  t.match((await visitor.get(`/login/password?token=${token}`)).text, /name="password"/);
});

t.test('before the day on which passwords end, a sign-in asks for a passkey', async (t) => {
  await setPolicy({ firstFactors: ['passkey'], firstFactorsFrom: '2090-05-01' });
  const person = await makePerson(container, home);
  const { visitor, answer } = await begin(person);
  t.match(answer.location, /^\/login\/enrol-passkey/);
  const page = await visitor.get(path);
  t.match(page.text, /From May 1, 2090 on, you sign in here with a passkey/);
  t.match((await make(visitor, { page, flags: 0x41 })).answer.text, /was not added/);
  t.match((await make(visitor)).answer.location, /^\/account\?/);
  t.match((await begin(person)).answer.location, /^\/account\?/, 'once is enough');
});

t.test('an answer for another browser, person, organization or purpose adds nothing', async (t) => {
  await demand('phr', '2090-05-01');
  const foreign = await makeTenant(container);
  const person = await makePerson(container, home);
  const { visitor } = await begin(person);
  const page = await visitor.get(path);
  const forged = async (challenge: string) => (await make(visitor, { page, challenge })).answer;
  const agent = 'a';
  const bound = { purpose: 'signInEnrol', agent, orgId, userId: person.id } as const;
  const { passkeyChallenges: challenges } = container;
  for (const [name, challenge] of Object.entries({
    'another browser': challenges.make(bound, 'handle'),
    'another organization': challenges.make({ ...bound, orgId: foreign.orgId }, 'handle'),
    'the account page': challenges.make({ ...bound, purpose: 'enrol' }, 'handle'),
    'a sign-in': challenges.make({ purpose: 'signIn', agent }),
    'no page': 'AAAA',
  }))
    t.match(await forged(challenge), { status: 400, text: /was not added/ }, name);
  // The page of another person at another browser.
  const other = await makePerson(container, home);
  const theirs = await (await begin(other)).visitor.get(path);
  t.match(await forged(optionsIn(theirs.text, 'create').challenge), { status: 400 });
  t.match((await make(visitor, { page, origin: 'https://login.example.net' })).answer, { status: 400 });
  t.equal(await passkeysOf(person), 0);
  t.equal(await passkeysOf(other), 0);
  const { key, answer } = await make(visitor, { page });
  t.match(answer.location, /^\/account\?/);
  t.match((await make(visitor, { page, key })).answer.status, 403, 'nor the same answer again');
  t.equal(await passkeysOf(person), 1);
});

t.test('a credential that changes in another tab makes the page void', async (t) => {
  await demand('phr', '2090-05-01');
  const person = await makePerson(container, home);
  const { visitor } = await begin(person);
  const page = await visitor.get(path);
  await giveTotp(container, person);
  t.match((await make(visitor, { page })).answer.location, /^\/login\?.*again=1/);
  t.equal(await passkeysOf(person), 0);
  const other = await makePerson(container, home);
  const begun = await begin(other);
  const shown = await begun.visitor.get(path);
  await changeUser(container, {
    ...{ organization: home, id: other.id, editor: testEditor },
    change: (current) => ({ profile: asInput(current), password: 'Another-Horse-8' }),
  });
  t.match(
    (await make(begun.visitor, { page: shown })).answer.location,
    /^\/login\?.*again=1/,
    'a new password',
  );
  t.equal(await passkeysOf(other), 0);
});

t.test('a session of earlier leads to no enrolment', async (t) => {
  await setPolicy({});
  const person = await makePerson(container, home);
  const { visitor } = await begin(person);
  await demand('phr', '2090-05-01');
  t.match((await visitor.get(path)).location, /^\/login/);
});

t.test('what was put off is not asked for again on the pages after it', async (t) => {
  await demand('2', '2090-05-01');
  const person = await makePerson(container, home);
  await requirePasswordChange(container, { orgId, id: person.id, editor: testEditor });
  const { visitor } = await begin(person);
  const page = await visitor.get('/login/enrol');
  const next = await visitor.fill(page, { later: '1' }, '/login/enrol');
  t.match(next.location, /^\/login\/new-password/);
  t.match((await visitor.get(next.location ?? '')).text, /name="repeated"/);
});
