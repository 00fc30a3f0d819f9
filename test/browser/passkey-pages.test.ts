import type { CDPSession } from 'playwright-core';
import t from 'tap';
import { addApplication } from '#src/clients/applications/add-application.js';
import { freePort } from '../../dev/free-port.js';
import { testEditor } from '../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { openWindow, submitForm, takenLooks } from '../support/network/looks.js';

/** What docs/guides/passkeys.md says that people see, in all languages, in both widths and both colour schemes. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });
const home = await makeHome(container, {});
const redirectUri = `${baseUrl}/healthz`;
const { application } = await addApplication(container, {
  orgId: home.id,
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

const rows = takenLooks([
  { width: 390, colorScheme: 'light', locale: 'en' },
  { width: 1280, colorScheme: 'dark', locale: 'de' },
  { width: 390, colorScheme: 'dark', locale: 'fr' },
  { width: 1280, colorScheme: 'light', locale: 'es' },
  { width: 390, colorScheme: 'light', locale: 'it' },
] as const);

/** Gives the browser an authenticator that verifies the person. */
async function addAuthenticator(cdp: CDPSession): Promise<string> {
  await cdp.send('WebAuthn.enable');
  const verifies = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true } as const;
  const kind = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const;
  const added = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...verifies } });
  return added.authenticatorId;
}

for (const look of rows) {
  t.test(
    `from the offer to the second factor: ${look.width} ${look.colorScheme} ${look.locale}`,
    async (t) => {
      const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
      const cdp = await page.context().newCDPSession(page);
      const authenticatorId = await addAuthenticator(cdp);
      const present = (enabled: boolean) =>
        cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
      const person = await makePerson(container, home);
      const signIn = async (address: string) => {
        // The browser offers passkeys by itself, and the authenticator would answer.
        await present(false);
        await page.goto(address);
        await submitForm(page, '/login', { loginName: person.userName, password: goodPassword });
      };
      const ask = () => page.locator('[data-passkey-ask]').click();

      await signIn(authorizeUrl);
      await page.waitForURL(/\/login\/faster/);
      await see('passkey-offer');
      await present(true);
      await ask();
      await page.waitForURL(/\/healthz\?code=/);

      await page.goto(`${baseUrl}/account`);
      await see('account-with-passkey');
      await page.locator('a[href*="/account/passkeys/new"]').click();
      await see('passkey-new');
      await ask();
      await page.locator('[data-passkey-failed]').waitFor();
      await see('passkey-not-added');
      await page.goto(`${baseUrl}/account`);
      await page.locator('a[href*="/account/passkeys/edit"]').click();
      await see('passkey-edit');
      clock.advance(container.config.freshSignInSeconds + 1);
      await page.reload();
      await see('passkey-confirm');
      await ask();
      await page.locator('#label').waitFor();

      await giveTotp(container, person);
      clock.advance(1);
      await page.context().clearCookies();
      await present(false);
      await page.goto(authorizeUrl);
      await see('login-with-passkey');
      await signIn(authorizeUrl);
      await page.locator('a[href*="/login/second-passkey"]').click();
      await see('second-passkey');
      await present(true);
      await ask();
      await page.waitForURL(/\/healthz\?code=/);
    },
  );
}
