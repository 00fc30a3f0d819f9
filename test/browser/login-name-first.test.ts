import type { Page } from 'playwright-core';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { putSignInPolicy } from '#src/authentication/sign-in-policy/put-sign-in-policy.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { freePort } from '../../dev/free-port.js';
import { makeTenant, testEditor } from '../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The login name first, then the password and the second factor, with why each is asked for. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

const { orgId } = await makeTenant(container);
await putSignInPolicy(container, { orgId, policy: { identifierFirst: true }, editor: testEditor });
const organization = await container.organizations.find(orgId);
if (organization === undefined) throw new Error('The organization is gone');
const redirectUri = `${baseUrl}/healthz`;
const { application } = await addApplication(container, {
  orgId,
  settings: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
  editor: testEditor,
});
const query = new URLSearchParams({
  client_id: application.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});

const looks = [
  [390, 'en-GB', 'light'],
  [1280, 'de-DE', 'dark'],
  [390, 'fr-FR', 'dark'],
  [1280, 'es-ES', 'light'],
  [390, 'it-IT', 'light'],
] as const;

for (const [width, locale, colorScheme] of takenLooks(looks)) {
  t.test(`${width} pixels, ${locale}, ${colorScheme}: name, password, code`, async (t) => {
    const user = await makePerson(container, organization);
    const secret = await giveTotp(container, user);
    clock.advance(30);
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      ...{ locale, colorScheme, javaScriptEnabled: width !== 390 },
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const look = async (name: string) => {
      await takeScreenshot(page, `name-first-${name}-${width}-${locale}-${colorScheme}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name} fits in the width`);
      t.same(await axeViolations(page), [], `${name} is accessible`);
    };
    await page.goto(`${baseUrl}/oauth/v2/authorize?${query}`);
    t.equal(await page.locator('input[type=password]').count(), 0);
    await look('name');
    await submit(page, '/login/name', { loginName: user.userName });
    t.equal(await page.locator('input[name=loginName]').inputValue(), user.userName);
    await look('password');
    await submit(page, '/login', { password: 'Wrong-Horse-1' });
    await look('wrong-password');
    await submit(page, '/login', { password: goodPassword });
    t.match(page.url(), /\/login\/code/);
    await look('code');
    await page.locator('a[href*="recovery=1"]').click();
    await look('recovery-code');
    await page.goBack();
    await submit(page, '/login/code', { code: totpCode(secret, totpStep(clock.now())) });
    t.match(page.url(), /\/healthz\?code=/);
  });
}

async function submit(page: Page, action: string, fields: Record<string, string>): Promise<void> {
  const form = page.locator(`form[action$="${action}"]`);
  for (const [name, value] of Object.entries(fields)) await form.locator(`input[name="${name}"]`).fill(value);
  await form.locator('button[type=submit]').click();
}
