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

/** Rules of an organization that change while a person signs in, and hold from then on. */

const { app, container, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });

const twoFactors: SignInPolicy = { demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] };

async function setting() {
  const home = await makeHome(container);
  const client = await makeApplication(container, home.id);
  const user = await makePerson(container, home);
  /** Changes the policy, also to one that locks people out. */
  const change = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: () => ({ signInPolicy }), editor: testEditor });
  const begin = async (visitor: Visitor): Promise<Seen> => {
    const query = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
    return visitor.follow(await visitor.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`));
  };
  const withPassword = async (visitor: Visitor, page: Seen, { userName }: User) =>
    visitor.follow(await visitor.fill(page, { loginName: userName, password: goodPassword }, '/login'));
  return { home, user, change, begin, withPassword };
}

const newVisitor = () => visit(app, container);
const isArrived = ({ location }: Seen) =>
  new URL(location ?? 'about:blank', 'https://none.example').searchParams.has('code');

t.test('a second factor is demanded while the page for the password is open', async (t) => {
  const { user, change, begin, withPassword } = await setting();
  const visitor = newVisitor();
  const page = await begin(visitor);
  await change(twoFactors);
  const refused = await withPassword(visitor, page, user);
  t.match(refused, { status: 403, text: /You need another factor/ });
  t.same(await container.sessions.ofUser(user.id), [], 'no session begins');
  await change({});
  t.ok(isArrived(await withPassword(visitor, await begin(visitor), user)), 'without the demand it goes on');
});

t.test('codes of an app no longer count while the page for the code is open', async (t) => {
  const { user, change, begin, withPassword } = await setting();
  const secret = await giveTotp(container, user);
  clock.advance(60);
  const visitor = newVisitor();
  const page = await withPassword(visitor, await begin(visitor), user);
  t.match(page.url, /^\/login\/code/);
  await change({ ...twoFactors, secondFactors: ['passkey'] });
  const answer = await visitor.fill(page, { code: totpCode(secret, totpStep(clock.now())) });
  t.notOk(isArrived(await visitor.follow(answer)));
  t.same(await container.sessions.ofUser(user.id), []);
});

t.test('passwords no longer sign in while the page for the code is open', async (t) => {
  const { user, change, begin, withPassword } = await setting();
  const secret = await giveTotp(container, user);
  clock.advance(60);
  const visitor = newVisitor();
  const page = await withPassword(visitor, await begin(visitor), user);
  await change({ firstFactors: ['passkey'] });
  const answer = await visitor.fill(page, { code: totpCode(secret, totpStep(clock.now())) });
  t.match(answer.location, /^\/login\?/, 'the proof of the password counts for nothing');
  t.notOk(isArrived(await visitor.follow(answer)));
  t.same(await container.sessions.ofUser(user.id), []);
});

t.test('a session meets a stricter rule at its next request', async (t) => {
  const { user, change, begin, withPassword } = await setting();
  const visitor = newVisitor();
  t.ok(isArrived(await withPassword(visitor, await begin(visitor), user)));
  t.ok(isArrived(await begin(visitor)), 'the session is enough');
  await change(twoFactors);
  clock.advance(1);
  t.match((await begin(visitor)).url, /^\/login/, 'it is not enough any more');
  await change({});
  t.ok(isArrived(await begin(visitor)), 'the session was not ended');
});

t.test('a second factor that was set up meanwhile voids the sign-in that has begun', async (t) => {
  const { user, begin, withPassword } = await setting();
  const first = await giveTotp(container, user);
  clock.advance(60);
  const visitor = newVisitor();
  const page = await withPassword(visitor, await begin(visitor), user);
  const stale = await container.accounts.find(user.orgId, user.id);
  t.ok(stale?.totp);
  const { changeTotp } = await import('#src/authentication/second-factor/change-totp.js');
  await changeTotp(container, { orgId: user.orgId, id: user.id, totp: undefined, editor: testEditor });
  await giveTotp(container, user);
  const answer = await visitor.fill(page, { code: totpCode(first, totpStep(clock.now())) });
  t.match(answer.location, /^\/login\?.*again=1/);
});
