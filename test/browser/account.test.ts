import type { Page } from 'playwright-core';
import t from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { sendNotices } from '#src/login/mail/notices/send-notices.js';
import { gatherMs } from '#src/notices/notices.store.js';
import { freePort } from '../../dev/free-port.js';
import { until } from '../../dev/until.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { looks, openWindow, submitForm, takenLooks } from '../support/network/looks.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, tryOut: 1, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });
const home = await makeHome(container, { name: 'Aurora Energy', login: { brandColor: '#0a6b4f' } });

const open = await makeHome(container, { login: { selfRegistration: true, verifyEmail: true } });
const redirectUri = `${baseUrl}/healthz`;
const { application } = await addApplication(container, {
  orgId: open.id,
  settings: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
  editor: testEditor,
});
const registration = `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
  ...{ client_id: application.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
  ...{ prompt: 'create', code_challenge_method: 'S256' },
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
})}`;

const signIn = async (page: Page, loginName: string) => {
  await page.goto(`${baseUrl}/login`);
  await submitForm(page, '/login', { loginName, password: goodPassword });
};

for (const look of takenLooks(looks)) {
  const name = `${look.width} pixels, ${look.colorScheme}`;

  t.test(`${name}: the address, recovery codes and sessions of an account`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    const user = await makePerson(container, home);
    await signIn(page, user.userName);
    await page.locator('a[href*="/account/email"]').click();
    await see('email');
    const email = `${user.userName}-${look.width}-${look.colorScheme}@mail.example`;
    await submitForm(page, '/account/email', { email, password: goodPassword });
    await see('email-code');
    const mail = (await container.mailer?.unsent?.all())?.find(({ to }) => to === email);
    const code = /^([0-9A-Z]{4}-[0-9A-Z]{4})$/m.exec(mail?.text ?? '')?.[1] ?? '';
    await submitForm(page, '/account/email/confirm', { code: 'AAAA-AAAA' });
    await see('email-code-wrong');
    await submitForm(page, '/account/email/confirm', { code });
    t.match(await page.locator('main').textContent(), email);

    await page.locator('a[href*="/account/totp"]').click();
    await see('totp-set-up');
    const secret = fromBase32((await page.locator('.key code').textContent()) ?? '');
    if (secret === undefined) throw new Error('no key');
    const next = () => {
      clock.advance(30);
      return totpCode(secret, totpStep(clock.now()));
    };
    await submitForm(page, '/account/totp', { password: goodPassword, code: next() });
    await see('recovery-codes');
    const [first = ''] = await page.locator('.codes code').allTextContents();
    await page.locator('a.button').click();
    await see('account-on');
    await page.locator('a[href*="recovery-codes/new"]').click();
    await see('recovery-codes-new');

    await page.context().clearCookies();
    await signIn(page, user.userName);
    await see('code');
    await page.locator('a[href*="recovery=1"]').click();
    await see('recovery-code');
    await submitForm(page, '/login/code', { code: first.toLowerCase() });
    t.match(page.url(), /\/account/, 'a recovery code signs in');
    t.match(await page.locator('main').textContent(), 'Codes left: 9.');
  });

  t.test(`${name}: a registration proves its address before the first sign-in`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    const userName = `bo-${look.width}-${look.colorScheme}`;
    const wrong = `${userName}@mial.example`;
    const email = `${userName}@mail.example`;
    await page.goto(registration);
    const fields = { givenName: 'Bo', familyName: 'Ek', email: wrong, userName, password: goodPassword };
    await submitForm(page, '/login/register', fields);
    await see('verify-email');
    t.match(await page.locator('main').textContent(), `sent to ${wrong}`);
    await submitForm(page, '/login/verify-email', { code: 'AAAA-AAAA' });
    await see('verify-email-wrong');
    await submitForm(page, '/login/verify-email/code', { email });
    await see('verify-email-sent');
    t.match(await page.locator('main').textContent(), `sent to ${email}`);
    const toIt = async () => (await container.mailer?.unsent?.all())?.find(({ to }) => to === email);
    await until(async () => (await toIt()) !== undefined);
    const code = /^([0-9A-Z]{4}-[0-9A-Z]{4})$/m.exec((await toIt())?.text ?? '')?.[1] ?? '';
    await submitForm(page, '/login/verify-email', { code });
    t.match(page.url(), /\/healthz\?code=/, 'back at the application');

    await page.context().clearCookies();
    await signIn(page, userName);
    clock.advance(gatherMs / 1000);
    await sendNotices(container, { logger: container.logger, longestMs: 60_000 });
    await page.goto(`${baseUrl}/dev/mail`);
    await page.locator('a.account', { hasText: email }).first().click();
    await page.frameLocator('iframe').locator('h1').waitFor();
    await see('dev-mail-notice');
    t.match(await page.locator('pre.mail').textContent(), 'new to your account');
  });

  t.test(`${name}: mail that a trial would have sent`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    const user = await makePerson(container, home, { password: null });
    const before = (await container.mailer?.unsent?.all())?.length ?? 0;
    await page.goto(`${baseUrl}/login/forgot`);
    await submitForm(page, '/login/forgot', { loginName: user.userName });
    await see('forgot-sent');
    await until(async () => ((await container.mailer?.unsent?.all())?.length ?? 0) > before);
    await page.goto(`${baseUrl}/dev/mail`);
    await see('dev-mail');
    await page.locator('a.account').first().click();
    await page.frameLocator('iframe').locator('h1').waitFor();
    await see('dev-mail-one');
    const opened = page.context().waitForEvent('page');
    await page.frameLocator('iframe').locator('a').first().click();
    const other = await opened;
    await submitForm(other, '/login/password', { password: goodPassword, repeated: goodPassword });
    t.match(other.url(), /\/account/, 'the link of the mail sets the first password');
  });
}
