import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { addApplication } from '#src/clients/applications/add-application.js';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { freePort } from '../../dev/free-port.js';
import { makeTenant, testEditor } from '../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

/** Passkeys in Chromium, with its virtual authenticators (WebAuthn Level 3 section 11). Browsers have passkeys for names, not for addresses. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });
const { orgId } = await makeTenant(container);
const home = (await container.organizations.find(orgId)) as Organization;
const redirectUri = `${baseUrl}/healthz`;
const { application } = await addApplication(container, {
  orgId,
  settings: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
  editor: testEditor,
});
const authorizeUrl = `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
  client_id: application.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`;

/** An authenticator in the device, such as a fingerprint reader, and a key for USB that only feels a touch. */
const kinds = {
  internal: { transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  usb: { transport: 'usb', hasResidentKey: false, hasUserVerification: false, isUserVerified: false },
} as const;

interface Setting {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** A browser with one authenticator. */
async function open(t: Test, kind: keyof typeof kinds): Promise<Setting> {
  const context = await (browser as NonNullable<typeof browser>).newContext({ locale: 'en-GB' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', automaticPresenceSimulation: true, ...kinds[kind] } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return { context, page, cdp, authenticatorId };
}

async function signIn(page: Page, user: User): Promise<void> {
  await page.goto(`${baseUrl}/login?to=account`);
  await page.locator('#loginName').fill(user.userName);
  await page.locator('#password').fill(goodPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Adds a passkey on the account page. */
async function enrol(page: Page): Promise<void> {
  await page.goto(`${baseUrl}/account`);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByText('The passkey is added.').waitFor();
}

const credentialsOf = async ({ cdp, authenticatorId }: Setting) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

t.test('a passkey of the device is added, and signs in alone', async (t) => {
  const setting = await open(t, 'internal');
  const { page, context, cdp, authenticatorId } = setting;
  const user = await makePerson(container, home);
  await signIn(page, user);
  await page.goto(`${baseUrl}/account/passkeys/new`);
  t.same(await axeViolations(page), [], 'accessible');
  await takeScreenshot(page, 'passkey-new');
  await enrol(page);
  t.same(await axeViolations(page), [], 'accessible');
  await takeScreenshot(page, 'account-with-passkey');
  const [credential] = await credentialsOf(setting);
  t.match(credential, { isResidentCredential: true, rpId: 'localhost' });
  t.notMatch(Buffer.from(credential?.userHandle ?? '', 'base64').toString(), user.id);

  await page.goto(`${baseUrl}/account/passkeys/new`);
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByText('The passkey was not added.').waitFor();
  t.equal((await credentialsOf(setting)).length, 1, 'a device that has one makes no other');

  await context.clearCookies();
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
  await page.goto(authorizeUrl);
  t.same(await axeViolations(page), [], 'accessible');
  await takeScreenshot(page, 'login-with-passkey');
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/healthz\?code=/);
  t.match((await container.sessions.ofUser(user.id))[0]?.proofs, [{ kind: 'passkey', userVerified: true }]);
});

t.test('the browser offers the passkey in the field for the login name', async (t) => {
  const setting = await open(t, 'internal');
  const { page, context } = setting;
  const user = await makePerson(container, home);
  await signIn(page, user);
  await enrol(page);
  await context.clearCookies();
  // The virtual authenticator answers the offer at once, as if the person chose it.
  await page.goto(authorizeUrl);
  await page.waitForURL(/\/healthz\?code=/);
  t.match((await container.sessions.ofUser(user.id))[0]?.proofs, [{ kind: 'passkey' }]);
});

t.test('a device that does not recognize the person signs in nobody, and the other ways stay', async (t) => {
  const { page, context, cdp, authenticatorId } = await open(t, 'internal');
  const user = await makePerson(container, home);
  await signIn(page, user);
  await enrol(page);
  await context.clearCookies();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.goto(authorizeUrl);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('The passkey was not used.').waitFor();
  await page.locator('#loginName').fill(user.userName);
  await page.locator('#password').fill(goodPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/healthz\?code=/);
});

t.test('a key that only feels a touch is a second factor, and nothing alone', async (t) => {
  const setting = await open(t, 'usb');
  const { page, context } = setting;
  const user = await makePerson(container, home);
  await signIn(page, user);
  await enrol(page);
  t.match(await credentialsOf(setting), [{ isResidentCredential: false }]);
  await giveTotp(container, user);
  clock.advance(1);
  await context.clearCookies();
  await page.goto(authorizeUrl);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('The passkey was not used.').waitFor();
  await signIn(page, user);
  await page.getByRole('link', { name: 'Use a passkey' }).click();
  t.same(await axeViolations(page), [], 'accessible');
  await takeScreenshot(page, 'second-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(/\/account\?session=/);
  t.match((await container.sessions.ofUser(user.id))[0]?.proofs, [
    { kind: 'password' },
    { kind: 'passkey', userVerified: false },
  ]);
});

t.test('after a while the passkey itself is the fresh proof', async (t) => {
  const { page } = await open(t, 'internal');
  const user = await makePerson(container, home);
  await signIn(page, user);
  await enrol(page);
  clock.advance(container.config.freshSignInSeconds + 1);
  await page.goto(`${baseUrl}/account`);
  await page.getByRole('link', { name: 'Change' }).last().click();
  t.same(await axeViolations(page), [], 'accessible');
  await takeScreenshot(page, 'confirm-with-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.locator('#label').fill('My laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The passkey has its new name.').waitFor();
  t.ok(await page.getByText('My laptop').isVisible());
});

t.test('without JavaScript there is no passkey, and nothing is missing', async (t) => {
  const context = await (browser as NonNullable<typeof browser>).newContext({ javaScriptEnabled: false });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const user = await makePerson(container, home);
  await page.goto(authorizeUrl);
  t.notOk(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible());
  await signIn(page, user);
  await page.waitForURL(/\/account\?session=/);
  await page.goto(`${baseUrl}/account/passkeys/new`);
  t.ok(await page.getByText('This browser has no passkeys, or JavaScript is off.').isVisible());
});
