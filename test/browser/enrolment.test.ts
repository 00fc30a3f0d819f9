import type { Page } from 'playwright-core';
import t from 'tap';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { recoveryCodeHashes } from '#src/authentication/second-factor/index.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import type { OrganizationChange } from '#src/organizations/organization-rules.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { freePort } from '../../dev/free-port.js';
import { testEditor, uniqueName } from '../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { openWindow, submitForm, takenLooks } from '../support/network/looks.js';

/** The pages of a sign-in by policy on which people set up a factor, or learn why they cannot go on, in all languages. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

const rows = takenLooks([
  { width: 390, colorScheme: 'light', locale: 'de' },
  { width: 1280, colorScheme: 'dark', locale: 'en' },
  { width: 390, colorScheme: 'dark', locale: 'fr' },
  { width: 1280, colorScheme: 'light', locale: 'es' },
  { width: 390, colorScheme: 'light', locale: 'it' },
] as const);

const demand = (acr: '2' | 'phr', from: string, of: 'everybody' | 'roles' = 'everybody'): SignInPolicy => ({
  demands: [{ of, acr, from }],
});

const homeWith = (change: OrganizationChange) => makeHome(container, change);

async function signIn(page: Page, { userName }: User, address = `${baseUrl}/login?to=account`) {
  await page.goto(address);
  await submitForm(page, '/login', { loginName: userName, password: goodPassword });
}

/** Gives the browser an authenticator that verifies the person. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const verifies = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true } as const;
  const kind = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const;
  const options = { ...kind, ...verifies };
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
}

/** The address at which an application asks for a sign-in. */
async function applicationOf(orgId: string, settings: { acr?: 'phr'; allowedGroups?: string[] } = {}) {
  const redirectUri = `${baseUrl}/healthz`;
  const { application } = await addApplication(container, {
    orgId,
    settings: {
      ...{ name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
      ...settings,
    },
    editor: testEditor,
  });
  const query = {
    client_id: application.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `${baseUrl}/oauth/v2/authorize?${new URLSearchParams(query)}`;
}

for (const look of rows) {
  const name = `${look.width} ${look.colorScheme} ${look.locale}`;

  t.test(`a factor that a later day demands: ${name}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    await addAuthenticator(page);
    const home = await homeWith({ signInPolicy: demand('2', '2090-05-01') });
    await signIn(page, await makePerson(container, home));
    await page.waitForURL(/\/login\/enrol(?:\?|$)/);
    await see('enrol-code-later');
    await page.locator('a[href*="/login/enrol-passkey"]').click();
    await see('enrol-passkey-later');
    await page.locator('button[name=later]').click();
    await page.waitForURL(/\/account\?session=/);
  });

  t.test(`a passkey that is demanded, and a browser without passkeys: ${name}`, async (t) => {
    const home = await homeWith({ signInPolicy: demand('phr', '2090-05-01') });
    const person = await makePerson(container, home);
    const plain = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    await signIn(plain.page, person);
    await plain.page.waitForURL(/\/login\/enrol-passkey/);
    await plain.see('enrol-passkey-without-script');
    const { page } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    await addAuthenticator(page);
    await signIn(page, person);
    await page.locator('[data-passkey-ask]').click();
    await page.waitForURL(/\/account\?session=/);
    t.match((await container.sessions.ofUser(person.id)).at(0)?.proofs, [
      { kind: 'password' },
      { kind: 'passkey', userVerified: true },
    ]);
  });

  t.test(`without the factor, and with a recovery code: ${name}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    const home = await homeWith({ signInPolicy: demand('phr', '2020-01-01') });
    await signIn(page, await makePerson(container, home));
    await see('factor-missing');
    const person = await makePerson(container, home);
    await giveTotp(container, person);
    const codes = ['AAAA-AAAA-AAAA-AAAA'];
    const recovery = recoveryCodeHashes(person.id, codes);
    const at = { id: person.id, expectedVersion: 2, now: clock.now(), recovery };
    await container.mongo.transaction((transaction) =>
      container.accounts.setRecoveryCodes(home.id, at, transaction),
    );
    clock.advance(1);
    await signIn(page, person);
    await page.waitForURL(/\/login\/code\?.*recovery=1/);
    await see('recovery-demanded');
  });

  t.test(`a link of an administrator where no password signs in: ${name}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    await addAuthenticator(page);
    const home = await homeWith({ signInPolicy: { firstFactors: ['passkey'] } });
    const { id: userId } = await makePerson(container, home, { password: null });
    const link = await makeOneTimeLink(container, { orgId: home.id, userId, editor: testEditor });
    await page.goto(`${baseUrl}/login/password?token=${link.secret}`);
    await see('link-to-passkey');
    await page.locator('main form button[type=submit]').click();
    await page.waitForURL(/\/login\/enrol-passkey/);
    await see('enrol-passkey-first');
    await page.locator('[data-passkey-ask]').click();
    await page.waitForURL(/\/account\?session=/);
  });

  t.test(`who registers makes a passkey: ${name}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    await addAuthenticator(page);
    const home = await homeWith({
      ...{ signInPolicy: { firstFactors: ['passkey'] }, login: { selfRegistration: true } },
    });
    const address = await applicationOf(home.id);
    await page.goto(`${address}&prompt=create`);
    await see('register-with-passkey');
    const userName = uniqueName('new');
    const values = { givenName: 'Bo', familyName: 'Ek', email: `${userName}@people.example`, userName };
    for (const [field, value] of Object.entries(values)) await page.locator(`#${field}`).fill(value);
    await page.locator('main form button[type=submit]').click();
    await page.waitForURL(/\/login\/enrol-passkey/);
    await page.locator('[data-passkey-ask]').click();
    await page.waitForURL(/\/healthz\?code=/);
    const plain = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    await plain.page.goto(`${address}&prompt=create`);
    t.notOk(await plain.page.locator('main form button[type=submit]').isVisible());
    await plain.see('register-without-script');
  });

  t.test(`an application that asks for more, or is for others: ${name}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    const home = await homeWith({});
    const person = await makePerson(container, home);
    await signIn(page, person);
    await page.goto(await applicationOf(home.id, { acr: 'phr' }));
    await see('asks-for-more');
    const profile = { displayName: uniqueName('Group') };
    const group = await addGroup(container, {
      ...{ orgId: home.id, profile, members: new Set<string>(), editor: testEditor },
    });
    await page.goto(await applicationOf(home.id, { allowedGroups: [group.id] }));
    await see('not-allowed');
  });
}
