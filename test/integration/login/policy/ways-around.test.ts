import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { amrOf } from '#src/authentication/proofs/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { newSecret } from '#src/platform/ids.js';
import { testEditor, uniqueName } from '../../../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { formsOf, type Visitor, visit } from '../../../support/oidc/visitor.js';
import { optionsIn, SoftAuthenticator } from '../../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';

/** Ways by which somebody with a mailbox, a password, or a browser of another person could set up a factor that the policy demands. */

const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const demand = (acr: '2' | 'phr', from = '2020-01-01'): SignInPolicy => ({
  demands: [{ of: 'everybody', acr, from }],
});
const newPassword = { password: 'Another-Horse-8', repeated: 'Another-Horse-8' };

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });

async function setting(policy: SignInPolicy) {
  const home = await makeHome(container, { signInPolicy: policy, login: { selfRegistration: true } });
  const person = await makePerson(container, home);
  const change = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: () => ({ signInPolicy }), editor: testEditor });
  return { home, person, change };
}

async function signIn({ userName: loginName }: Pick<User, 'userName'>, visitor = newVisitor()) {
  const page = await visitor.get('/login?to=account');
  const answer = await visitor.fill(page, { loginName, password: goodPassword }, '/login');
  return { visitor, answer };
}

/** The secret of a link that the person asked for on the page "forgot password". */
const forgotLink = ({ id: userId, orgId }: User) =>
  makeOneTimeLink(container, {
    ...{ orgId, userId, mailedTo: 'ada@example.org' },
    editor: { userId, service: 'login' },
  });

async function useLink(visitor: Visitor, secret: string) {
  return visitor.fill(await visitor.get(`/login/password?token=${secret}`), newPassword, '/login/password');
}

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

const passkeysOf = async ({ id, orgId }: User) => (await container.accounts.find(orgId, id))?.passkeys?.count;

t.test('a link for a forgotten password leads to no factor that is demanded', async (t) => {
  const { home, person, change } = await setting(demand('phr'));
  await enrolPasskey(container, person);
  const thief = newVisitor();
  const sent = await useLink(thief, (await forgotLink(person)).secret);
  t.match(sent.location, /^\/login\/second-passkey/, 'the key that the person has');
  t.notMatch((await thief.get('/login/second-passkey')).text, /enrol-passkey/);
  t.notMatch((await thief.get('/login/enrol-passkey')).status, 200);
  await change(demand('2'));
  const second = await makePerson(container, home);
  const refused = await useLink(newVisitor(), (await forgotLink(second)).secret);
  t.match(refused, { status: 403, text: /Ask your administrator for a link/ });
});

t.test('where passwords are off, a link for a forgotten password leads to no passkey', async (t) => {
  const { person, change } = await setting({});
  const { secret } = await forgotLink(person);
  await change({ firstFactors: ['passkey'] });
  const page = await newVisitor().get(`/login/password?token=${secret}`);
  t.match(page, { status: 200, text: /Sign in another way/ });
  t.notMatch(page.text, /<button type="submit" class="full">Continue/);
});

t.test('a session that does not meet the policy any more has no account page', async (t) => {
  const { person, change } = await setting({});
  const { visitor, answer } = await signIn(person);
  t.match(await visitor.get(answer.location ?? ''), { status: 200 });
  await change(demand('2', '2090-05-01'));
  t.match(await visitor.get('/account'), { status: 200 }, 'until the day');
  clock.advance(container.config.freshSignInSeconds + 1);
  const confirm = await visitor.get('/account/confirm?next=/account/passkeys/new');
  const totp = await visitor.get('/account/totp');
  t.match([confirm.status, totp.status], [200, 200]);
  await change(demand('2'));
  for (const path of ['/account', '/account/confirm', '/account/passkeys/new', '/account/totp'])
    t.match((await visitor.get(path)).location, /^\/login/, path);
  const sent = await visitor.fill(confirm, { password: goodPassword }, '/account/confirm');
  t.match(sent.location, /^\/login/, 'nor by a form from before');
  await change({});
  t.match(await visitor.get('/account'), { status: 200 }, 'the session was not ended');
});

t.test('at a remembered browser a code comes before a new factor', async (t) => {
  const { person, change } = await setting({ rememberedBrowserDays: 30 });
  const secret = await giveTotp(container, person);
  const { visitor } = await signIn(person);
  const codePage = await visitor.get('/login/code');
  const done = await visitor.fill(codePage, { code: nextCode(secret), remember: '1' }, '/login/code');
  t.match(done.location, /^\/account\?/);
  const signOut = async () => {
    for (const { id } of await container.sessions.ofUser(person.id))
      await container.sessions.end(person.id, id);
  };
  await signOut();
  t.match((await signIn(person, visitor)).answer.location, /^\/account\?/, 'it is remembered');
  await signOut();
  for (const policy of [
    demand('phr', '2090-05-01'),
    { firstFactors: ['passkey'], firstFactorsFrom: '2090-05-01' } as const,
  ]) {
    await change({ rememberedBrowserDays: 30, ...policy });
    t.match((await signIn(person, visitor)).answer.location, /^\/login\/code/);
    t.match((await visitor.get('/login/enrol-passkey')).location, /^\/login\/code/);
  }
  const page = await visitor.get('/login/code');
  const proved = await visitor.fill(page, { code: nextCode(secret) }, '/login/code');
  t.match(proved.location, /^\/login\/enrol-passkey/);
  t.match(await visitor.get('/login/enrol-passkey'), { status: 200 });
  t.equal(await passkeysOf(person), undefined);
});

async function registration(organizationId: string) {
  const visitor = newVisitor();
  await visitor.get('/login');
  const flow = container.authorizationRequests.seal({
    ...{ id: newSecret(), clientId: 'some-client', redirectUri: 'https://client.example/callback' },
    ...{ responseType: 'code', responseMode: 'query', prompts: [], uiLocales: [], created: clock.now() },
    scope: `openid urn:service:iam:org:id:${organizationId}`,
    agentHash: hashSecret(visitor.cookies.get('__Host-muster-agent') ?? ''),
  });
  visitor.cookies.set('__Host-muster-flow', flow);
  const userName = uniqueName('new');
  const fields = { givenName: 'Bo', familyName: 'Ek', email: `${userName}@example.org`, userName };
  const page = await visitor.get(`/login/register?request=${flow}`);
  return { visitor, flow, userName, fields, page };
}

async function register(organizationId: string) {
  const { visitor, userName, fields, page } = await registration(organizationId);
  const answer = await visitor.fill(page, { ...fields, password: goodPassword });
  return { visitor, userName, answer };
}

t.test('who registers sets up what is demanded, and only in that sign-in', async (t) => {
  const { home } = await setting(demand('2'));
  const { visitor, userName, answer } = await register(home.id);
  t.match(answer.location, /^\/login\/enrol\?/);
  t.match(await visitor.follow(answer), { status: 200, text: /Your organization demands a second factor/ });
  t.match((await signIn({ userName })).answer, { status: 400 }, 'who leaves has no account');
});

t.test('who registers where no password signs in makes a passkey first', async (t) => {
  const { home, change } = await setting({});
  await change({ firstFactors: ['passkey'] });
  const { visitor, flow, userName, fields, page } = await registration(home.id);
  t.match(page, { status: 200, text: /with a passkey, and without a password/ });
  t.notMatch(page.text, /type="password"/);
  t.match(
    page.text,
    /<script src="[^"]*\/login\/assets\//,
    'the button is shown where the browser has passkeys',
  );
  t.match(
    (await visitor.get(`/login?request=${flow}`)).text,
    /\/login\/register\?/,
    'the login page leads there',
  );
  // A password that a form brings nevertheless is none of the account.
  const answer = await visitor.post('/login/register', [
    ...Object.entries({ ...fields, password: goodPassword }),
    ...Object.entries(formsOf(page.text)[0]?.hidden ?? {}),
  ]);
  t.match(answer.location, /^\/login\/enrol-passkey\?/);
  t.same(await container.accounts.findAnywhere(userName), [], 'the registration alone is no account');
  const enrolment = await visitor.follow(answer);
  const { origin } = new URL(container.config.baseUrl);
  const key = new SoftAuthenticator();
  const response = key.create(optionsIn(enrolment.text, 'create'), origin);
  const done = await visitor.fill(enrolment, { response }, '/login/enrol-passkey');
  t.match(done.location, /^\/oauth\/v2\/authorize\/callback/);
  const [account] = await container.accounts.findAnywhere(userName);
  t.match(account, { user: { orgId: home.id }, password: undefined });
  const [session] = await container.sessions.ofUser(account?.user.id ?? '');
  t.match(session?.proofs, [{ kind: 'oneTimeLink' }, { kind: 'passkey', userVerified: true }]);
  const methods = amrOf(session?.proofs ?? []);
  t.same(methods, ['hwk', 'user', 'pop', 'mfa'], 'the form of a registration is no method');

  await change({ firstFactors: ['connection'] });
  const closed = await registration(home.id);
  t.match(closed.page, { status: 403, text: /cannot create an account/i });
  const login = await closed.visitor.get(`/login?request=${closed.flow}`);
  t.notMatch(login.text, /\/login\/register/, 'no page leads to a form that is closed');
});
