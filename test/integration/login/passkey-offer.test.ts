import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';
import { optionsIn, SoftAuthenticator } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

/** The question for a passkey after a sign-in with a password. */

const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container);
const client = await makeApplication(container, home.id);
const origin = new URL(container.config.baseUrl).origin;
const able = { hasAuthenticator: '1' };

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress % 250}` });
const query = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
const authorize = (more = {}) => `/oauth/v2/authorize?${new URLSearchParams({ ...query, ...more })}`;
const isArrived = ({ location }: Seen) =>
  location?.startsWith(redirectUri) === true && /[?&]code=/.test(location);
const isOffered = ({ location }: Seen) => location?.startsWith('/login/faster?') === true;
const person = (given = {}) => makePerson(container, home, given);

async function setPolicy(signInPolicy: SignInPolicy) {
  await changeOrganization(container, {
    orgId: home.id,
    change: () => ({ signInPolicy }),
    editor: testEditor,
  });
}
t.afterEach(() => setPolicy({}));

async function signIn(
  { userName }: User,
  { fields = able, start = authorize() }: { fields?: object; start?: string } = {},
) {
  const visitor = newVisitor();
  const answer = await fillIn(visitor, userName, { fields, start });
  return { visitor, answer };
}

async function fillIn(
  visitor: Visitor,
  loginName: string,
  { fields, start }: { fields: object; start: string },
) {
  const page = await visitor.follow(await visitor.get(start));
  return visitor.fill(page, { loginName, password: goodPassword, ...fields }, '/login');
}

t.test('a person without passkeys is asked once, in all browsers together', async (t) => {
  const user = await person();
  const { visitor, answer } = await signIn(user);
  t.ok(isOffered(answer));
  const page = await visitor.get(answer.location ?? '');
  t.match(page.text, /Sign in faster next time/);
  const [, later = ''] = /<a href="([^"]*)">Not now<\/a>/.exec(page.text) ?? [];
  t.ok(isArrived(await visitor.get(later.replaceAll('&amp;', '&'))), 'the request goes on');
  t.equal((await container.accounts.find(home.id, user.id))?.passkeys, undefined);
  const again = await signIn(user);
  t.notOk(isOffered(again.answer), 'another browser does not ask again');
  t.ok(isArrived(await again.visitor.follow(again.answer)));
  const stored = await container.users.find(home.id, user.id);
  t.notMatch(JSON.stringify(stored), 'passkeyOffered', 'nobody else sees it');
});

t.test('two tabs ask once', async (t) => {
  const user = await person();
  const answers = await Promise.all([signIn(user), signIn(user), signIn(user)]);
  t.equal(answers.filter(({ answer }) => isOffered(answer)).length, 1);
});

t.test('the passkey is added, and the request goes on', async (t) => {
  const user = await person();
  const { visitor, answer } = await signIn(user);
  const page = await visitor.get(answer.location ?? '');
  const key = new SoftAuthenticator();
  const wrong = await visitor.fill(page, { response: '{}' }, '/login/faster');
  t.match(wrong, { status: 400, text: /The passkey was not added/ });
  const response = key.create(optionsIn(wrong.text, 'create'), origin, { flags: 0x5d });
  const done = await visitor.fill(wrong, { response }, '/login/faster');
  t.ok(isArrived(await visitor.follow(done)));
  t.equal((await container.accounts.find(home.id, user.id))?.passkeys?.count, 1);
  const replayed = await visitor.fill(wrong, { response }, '/login/faster');
  t.match(replayed.location, /callback/, 'a replay adds nothing');
  t.equal((await container.accounts.find(home.id, user.id))?.passkeys?.count, 1);
  t.match(
    (await visitor.get(answer.location ?? '')).location,
    /callback/,
    'the page has nothing to ask any more',
  );
});

t.test(
  'after a second factor it is asked too, and without a request it leads to the account page',
  async (t) => {
    const user = await person();
    const secret = await giveTotp(container, user);
    clock.advance(60);
    const { visitor, answer } = await signIn(user, { start: '/login?to=account' });
    t.match(answer.location, /^\/login\/code/);
    const page = await visitor.get('/login/code');
    const offered = await visitor.fill(page, { code: totpCode(secret, totpStep(clock.now())) });
    t.ok(isOffered(offered));
    const offer = await visitor.get(offered.location ?? '');
    t.match(offer.text, /<a href="[^"]*\/account\?session=[^"]*">Not now/);
  },
);

t.test('nobody is asked for whom it is of no use', async (t) => {
  const withoutScript = await signIn(await person(), { fields: {} });
  t.notOk(isOffered(withoutScript.answer), 'without JavaScript');
  const unable = await signIn(await person(), { fields: { hasAuthenticator: 'yes' } });
  t.notOk(isOffered(unable.answer));
  const owner = await person();
  await enrolPasskey(container, owner);
  t.notOk(isOffered((await signIn(owner)).answer), 'a person with a passkey');
  await setPolicy({ firstFactors: ['password'], secondFactors: ['totp', 'passkey'] });
  const forbidden = await person();
  t.notOk(isOffered((await signIn(forbidden)).answer), 'the policy lets no passkey sign in');
  await setPolicy({});
  t.ok(isOffered((await signIn(forbidden)).answer), 'it was not asked before');
});

t.test('a person who proves again who it is is not interrupted', async (t) => {
  const user = await person();
  for (const more of [{ prompt: 'login' }, { max_age: '0' }])
    t.notOk(isOffered((await signIn(user, { start: authorize(more) })).answer), JSON.stringify(more));
  const claims = JSON.stringify({ id_token: { sub: { value: user.id } } });
  t.notOk(isOffered((await signIn(user, { start: authorize({ claims }) })).answer));
  t.ok(isOffered((await signIn(user)).answer));
});

t.test('the page is of the person who is signed in', async (t) => {
  const user = await person();
  const { answer } = await signIn(user);
  const stranger = newVisitor();
  t.match((await stranger.get(answer.location ?? '')).location, /^\/login\?to=account/);
  const other = await signIn(await person());
  const page = await other.visitor.get(other.answer.location ?? '');
  const session = new URLSearchParams(answer.location?.split('?')[1]).get('session') ?? '';
  t.match(await other.visitor.fill(page, { session, response: '{}' }, '/login/faster'), { status: 403 });
  clock.advance(container.config.freshSignInSeconds + 1);
  t.match(
    (await other.visitor.get(other.answer.location ?? '')).location,
    /callback/,
    'a stale sign-in adds none',
  );
});
