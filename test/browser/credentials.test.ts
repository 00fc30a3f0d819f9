import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { freePort } from '../../dev/free-port.js';
import { until } from '../../dev/until.js';
import { makeTenant, testEditor } from '../support/app/make.js';
import { goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';
import { startMailServer } from '../support/network/mail-server.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const mail = await startMailServer(t);
const { container, app, clock } = await buildTestApp(t, {
  baseUrl,
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
});
await app.listen({ host: '127.0.0.1', port });

const { orgId } = await makeTenant(container);
await changeOrganization(container, { orgId, change: { name: 'Lindgren & Söhne' }, editor: testEditor });
const organization = await container.organizations.find(orgId);
if (organization === undefined) throw new Error('The organization is gone');
/** A page of the service stands for the client. The test reads the data that the browser posts to it. */
const redirectUri = `${baseUrl}/healthz`;
const { application } = await addApplication(container, {
  orgId,
  settings: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
  editor: testEditor,
});

function authorizeUrl(extra: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: application.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'a state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...extra,
  });
  return `${baseUrl}/oauth/v2/authorize?${query}`;
}

for (const width of takenLooks([390, 1280])) {
  /** Opens a page of the width, and a way to look at it. */
  const open = async (t: Test, options: { javaScriptEnabled: boolean }) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: width === 390 ? 'light' : 'dark',
      ...options,
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const look = async (name: string) => {
      await takeScreenshot(page, `${name}-${width}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name} fits in the width`);
      t.same(await axeViolations(page), [], `${name} is accessible`);
    };
    return { page, look };
  };

  t.test(`${width} pixels: a second factor is set up, asked for and removed`, async (t) => {
    const { page, look } = await open(t, { javaScriptEnabled: false });
    const user = await makePerson(container, organization);
    await signIn(page, { loginName: user.userName });
    await page.locator('a[href*="/account/totp"]').click();
    await look('totp-set-up');
    const shown = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
    const secret = fromBase32(shown);
    if (secret === undefined) throw new Error(`no key: ${shown}`);
    const codeNow = () => totpCode(secret, totpStep(clock.now()));
    await submit(page, '/account/totp', { code: codeNow(), password: goodPassword });
    t.equal(await page.getByRole('status').count(), 1);
    await look('totp-on');

    // The code that confirmed is used up.
    clock.advance(30);
    await page.context().clearCookies();
    await signIn(page, { loginName: user.userName });
    t.match(page.url(), /\/login\/code/);
    await submit(page, '/login/code', { code: codeNow() });
    t.match(page.url(), /\/account/);

    await page.locator('a[href*="/account/totp/remove"]').click();
    await look('totp-remove');
    clock.advance(30);
    await submit(page, '/account/totp/remove', { password: goodPassword, code: codeNow() });
    await look('totp-off');
    await page.context().clearCookies();
    await signIn(page, { loginName: user.userName });
    t.match(page.url(), /\/account/, 'the password alone again');
  });

  t.test(`${width} pixels: a mailed link sets the first password`, async (t) => {
    const { page, look } = await open(t, { javaScriptEnabled: false });
    const user = await makePerson(container, organization, { password: null });
    const address = user.emails[0]?.value ?? '';
    await page.goto(authorizeUrl());
    await page.locator('a[href*="/login/forgot"]').click();
    await look('forgot');
    await submit(page, '/login/forgot', { loginName: user.userName });
    await look('forgot-sent');
    await until(async () => mail.to(address).length > 0);
    await page.goto(/http:\/\/\S+token=[\w-]{43}/.exec(mail.to(address)[0] ?? '')?.[0] ?? '');
    await look('mailed-link');
    await submit(page, '/login/password', { password: goodPassword, repeated: goodPassword });
    t.match(page.url(), /\/healthz\?code=/, 'and the application gets its answer');
  });

  t.test(`${width} pixels: form_post by itself, and by its button without JavaScript`, async (t) => {
    const user = await makePerson(container, organization);
    for (const javaScriptEnabled of [true, false]) {
      const { page, look } = await open(t, { javaScriptEnabled });
      const posted = page.waitForRequest((request) => request.url() === redirectUri);
      await page.goto(authorizeUrl({ response_mode: 'form_post' }));
      await submit(page, '/login', { loginName: user.userName, password: goodPassword });
      if (!javaScriptEnabled) {
        await look('form-post');
        await page.locator('form button').click();
      }
      const request = await posted;
      t.equal(request.method(), 'POST');
      t.match(Object.fromEntries(new URLSearchParams(request.postData() ?? '')), {
        code: /./,
        state: 'a state',
      });
    }
  });
}

async function signIn(page: Page, { loginName }: { loginName: string }): Promise<void> {
  await page.goto(`${baseUrl}/login`);
  await submit(page, '/login', { loginName, password: goodPassword });
}

/** Fills in the form that leads to the path, and sends it. */
async function submit(page: Page, path: string, values: Record<string, string>): Promise<void> {
  const form = page.locator(`form[action$="${path}"]`);
  for (const [name, value] of Object.entries(values)) await form.locator(`#${name}`).fill(value);
  await form.locator('button[type=submit]').first().click();
}
