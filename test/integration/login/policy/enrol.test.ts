import t from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeOrganization, testEditor } from '../../../support/app/make.js';
import { goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../../support/oidc/visitor.js';

const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const orgId = home.id;

async function demand(from: string, more: SignInPolicy = {}) {
  const signInPolicy = { ...more, demands: [{ of: 'everybody', acr: '2', from }] } as const;
  await changeOrganization(container, { orgId, change: { signInPolicy }, editor: testEditor });
}

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });
const factorOf = async ({ id }: User) => (await container.accounts.find(orgId, id))?.totp;

async function begin({ userName: loginName }: User) {
  const visitor = newVisitor();
  const answer = await visitor.fill(await visitor.get('/login'), { loginName, password: goodPassword });
  return { visitor, answer };
}

function codeOf(page: Seen): string {
  const secret = fromBase32(/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '');
  if (secret === undefined) throw new Error('no key');
  return totpCode(secret, totpStep(clock.now()));
}

const setUp = async (visitor: Visitor, code?: string) => {
  const page = await visitor.get('/login/enrol');
  return visitor.fill(page, { code: code ?? codeOf(page) });
};

t.test('until the day, the sign-in asks for a factor that is missing, and it may wait', async (t) => {
  await demand('2090-05-01');
  const person = await makePerson(container, home);
  const { visitor, answer } = await begin(person);
  t.match(answer.location, /^\/login\/enrol/);
  const page = await visitor.get('/login/enrol');
  t.match(page.text, /From May 1, 2090 on, your organization demands a second factor/);
  t.match((await visitor.fill(page, { later: '1' })).location, /^\/account\?/, 'not now');
  t.equal(await factorOf(person), undefined);
  const again = await begin(person);
  t.match((await setUp(again.visitor)).location, /^\/account\?/);
  t.ok(await factorOf(person));
  const [session] = await container.sessions.ofUser(person.id);
  t.same(
    session?.proofs.map(({ kind }) => kind),
    ['password', 'code'],
  );
  t.match((await begin(person)).answer.location, /^\/login\/code/, 'from then on it is asked for');
});

t.test('what was put off is not asked again at the steps that follow', async (t) => {
  await demand('2090-05-01');
  const person = await makePerson(container, home);
  await requirePasswordChange(container, { orgId, id: person.id, editor: testEditor });
  const { visitor } = await begin(person);
  const answer = await visitor.fill(await visitor.get('/login/enrol'), { later: '1' });
  const page = await visitor.get(answer.location ?? '');
  t.equal(page.status, 200);
  t.match(page.text, /Choose a new password/);
});

t.test('a wrong code sets up nothing, and the same key is shown again', async (t) => {
  await demand('2090-05-01');
  const person = await makePerson(container, home);
  const { visitor } = await begin(person);
  const page = await visitor.get('/login/enrol');
  const wrong = await visitor.fill(page, { code: '000000' });
  const shown = await visitor.follow(wrong);
  t.equal(await factorOf(person), undefined);
  t.equal(codeOf(shown), codeOf(page));
  t.match((await visitor.fill(shown, { code: codeOf(shown) })).location, /^\/account\?/);
});

t.test('from the day on, a password alone leads to no factor, and cannot be put off', async (t) => {
  await demand('2090-05-01');
  const person = await makePerson(container, home);
  const { visitor } = await begin(person);
  const page = await visitor.get('/login/enrol');
  await demand('2020-01-01');
  const late = [await visitor.fill(page, { code: codeOf(page) }), await visitor.fill(page, { later: '1' })];
  for (const { location } of late) t.match(location, /^\/login\?/, 'the policy changed in the middle');
  t.equal(await factorOf(person), undefined);
  t.equal((await begin(person)).answer.status, 403);
});

t.test('from the day on, a one-time link of an administrator leads to the factor', async (t) => {
  await demand('2020-01-01');
  const person = await makePerson(container, home, { password: null });
  const { secret } = await makeOneTimeLink(container, { orgId, userId: person.id, editor: testEditor });
  const visitor = newVisitor();
  const form = await visitor.get(`/login/password?token=${secret}`);
  const chosen = { password: goodPassword, repeated: goodPassword };
  const answer = await visitor.fill(form, chosen);
  t.match(answer.location, /^\/login\/enrol/);
  const page = await visitor.get('/login/enrol');
  t.match(page.text, /Your organization demands a second factor/);
  t.notMatch(page.text, /name="later"/);
  const putOff = await visitor.fill(page, { later: '1', code: '1' });
  t.match(putOff.text, /name="code"/, 'it cannot wait');
  t.equal(await factorOf(person), undefined);
  t.match((await setUp(visitor)).location, /^\/account\?/);
  t.ok(await factorOf(person));
});

t.test('nobody is asked whose factor is allowed no more, or who has one', async (t) => {
  await demand('2090-05-01', { firstFactors: ['password'], secondFactors: ['mailCode'] });
  const person = await makePerson(container, home);
  t.match((await begin(person)).answer.location, /^\/account\?/);
  t.match((await newVisitor().get('/login/enrol')).location, /^\/login/, 'the page alone leads nowhere');
});
