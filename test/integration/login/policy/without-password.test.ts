import t from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor } from '../../../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { formsOf, type Visitor, visit } from '../../../support/oidc/visitor.js';
import { optionsIn, type SoftAuthenticator } from '../../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';

/** The account page of people whose password does not sign in: they manage their factors by a sign-in of a moment ago. */

const { container, app, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'muster@muster.example',
});
const { origin } = new URL(container.config.baseUrl);
const tooLate = () => clock.advance(container.config.freshSignInSeconds + 1);

let lastAddress = 0;

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

/** A person with a stored password and a passkey, signed in with the passkey where no password signs in. */
async function signedIn({ withApp = false, policy = { firstFactors: ['passkey'] } as SignInPolicy } = {}) {
  const home = await makeHome(container);
  const person = await makePerson(container, home);
  const secret = withApp ? await giveTotp(container, person) : Buffer.alloc(0);
  clock.advance(1);
  const key = await enrolPasskey(container, person);
  await changeOrganization(container, {
    ...{ orgId: home.id, change: { signInPolicy: policy }, editor: testEditor },
  });
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  const page = await visitor.get('/login?to=account');
  const response = key.get(optionsIn(page.text, 'get'), origin);
  const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
  await visitor.post('/login/passkey', { ...hidden, response });
  const account = async () => {
    const found = await container.accounts.find(home.id, person.id);
    if (found === undefined) throw new Error('no account');
    return found;
  };
  return { home, person, key, secret, visitor, account };
}

/** Proves again who it is, with the passkey, and goes on. */
async function confirm(visitor: Visitor, key: SoftAuthenticator, location = '') {
  const page = await visitor.get(location);
  const response = key.get(optionsIn(page.text, 'get'), origin);
  return visitor.fill(page, { response }, '/account/confirm/passkey');
}

t.test('an authenticator app is set up and removed without a password', async (t) => {
  const { visitor, key, account, person } = await signedIn();
  const page = await visitor.get('/account/totp');
  t.equal(page.status, 200);
  t.notMatch(page.text, /type="password"|your password/);
  const secret = fromBase32(/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '');
  if (secret === undefined) throw new Error('no key');
  const wrong = await visitor.fill(page, { code: '000000' }, '/account/totp');
  t.match(wrong, { status: 400, text: /code is wrong|Wrong code|not right/i });
  const done = await visitor.fill(page, { code: nextCode(secret) }, '/account/totp');
  t.match(done.location, /^\/account\/recovery-codes/);
  t.match(await visitor.follow(done), { status: 200, text: /<ol class="codes"/ });
  const first = (await account()).totp?.recovery;
  t.equal(first?.length, 10);
  const [session] = await container.sessions.ofUser(person.id);
  t.match(
    session?.proofs,
    [{ kind: 'passkey' }, { kind: 'code' }],
    'the session goes on with what was proved',
  );

  const renewal = await visitor.get('/account/recovery-codes/new');
  t.notMatch(renewal.text, /type="password"/);
  const renewed = await visitor.fill(renewal, { code: nextCode(secret) }, '/account/recovery-codes/new');
  t.match(renewed.location, /^\/account\/recovery-codes/);
  t.not((await account()).totp?.recovery?.[0], first?.[0]);

  const removal = await visitor.get('/account/totp/remove');
  t.notMatch(removal.text, /type="password"|your password/);
  t.match((await visitor.fill(removal, { code: '000000' }, '/account/totp/remove')).status, 400);
  t.ok((await account()).totp, 'not without a code');
  t.match(
    (await visitor.fill(removal, { code: nextCode(secret) }, '/account/totp/remove')).location,
    /totpRemoved/,
  );
  t.equal((await account()).totp, undefined);
  t.equal((await visitor.get('/account')).status, 200);
  t.ok(key);
});

t.test('after a while the passkey is asked for, and leads on', async (t) => {
  const { visitor, key, secret, account } = await signedIn({ withApp: true });
  const [removal, renewal] = [
    await visitor.get('/account/totp/remove'),
    await visitor.get('/account/recovery-codes/new'),
  ];
  tooLate();
  const before = (await account()).totp;
  for (const [page, path] of [
    [removal, '/account/totp/remove'],
    [renewal, '/account/recovery-codes/new'],
  ] as const) {
    const next = `next=${encodeURIComponent(path)}`;
    const location = (await visitor.get(path)).location ?? '';
    t.match(location, /^\/account\/confirm\?/);
    t.match(location, next);
    const late = await visitor.fill(page, { code: nextCode(secret) }, path);
    t.match(late.location, next, 'a form that was open');
  }
  t.same((await account()).totp?.recovery, before?.recovery);
  const location = (await visitor.get('/account/totp/remove')).location ?? '';
  const shown = await visitor.get(location);
  t.notMatch(shown.text, /type="password"/, 'the stored password is not asked for');
  const csrf = formsOf(shown.text)[0]?.hidden ?? {};
  const typed = { ...csrf, password: goodPassword, code: nextCode(secret) };
  t.match(
    (await visitor.post('/account/confirm', typed)).status,
    403,
    'the form of the passkey is another one',
  );
  t.match((await confirm(visitor, key, location)).location, /^\/account\/totp\/remove/);
  const again = await visitor.get('/account/totp/remove');
  const done = await visitor.fill(again, { code: nextCode(secret) }, '/account/totp/remove');
  t.match(done.location, /totpRemoved/);
});

t.test('a form for the password that was open when passwords ended proves nothing', async (t) => {
  const { visitor, home, account } = await signedIn({ policy: {} });
  tooLate();
  const confirmation = await visitor.get('/account/confirm?next=/account/totp');
  const page = await visitor.get('/account/totp');
  t.match([confirmation.text, page.text].join(' '), /type="password".*type="password"/s);
  const change = { signInPolicy: { firstFactors: ['passkey'] } as SignInPolicy };
  await changeOrganization(container, { orgId: home.id, change, editor: testEditor });
  const sent = await visitor.fill(confirmation, { password: goodPassword }, '/account/confirm');
  t.match(sent.location, /^\/account\/confirm\?.*next=%2Faccount%2Ftotp/);
  const secret = fromBase32(/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '') ?? Buffer.alloc(0);
  const set = await visitor.fill(page, { password: goodPassword, code: nextCode(secret) }, '/account/totp');
  t.match(set.location, /^\/account\/confirm/);
  t.equal((await account()).totp, undefined);
});

t.test('the address changes by a sign-in of a moment ago, and no form asks for a password', async (t) => {
  const { visitor } = await signedIn();
  const page = await visitor.get('/account');
  t.notMatch(page.text, /type="password"/, 'a new password is not offered either');
  const form = await visitor.get('/account/email');
  t.notMatch(form.text, /type="password"/);
  const typed = { email: 'new@people.example' };
  // The mail server of this test takes nothing.
  t.match(await visitor.fill(form, typed, '/account/email'), { status: 503 });
  tooLate();
  t.match(
    (await visitor.fill(form, typed, '/account/email')).location,
    /^\/account\/confirm\?.*next=%2Faccount%2Femail/,
  );
});
