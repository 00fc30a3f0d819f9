import type { Page } from 'playwright-core';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { freePort } from '../../dev/free-port.js';
import { type makeOrganization, makeTenant, testEditor } from '../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app, call, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

const { orgId, owner } = await makeTenant(container);
await changeOrganization(container, {
  orgId,
  change: { name: 'Lindgren & Söhne', login: { selfRegistration: true } },
  editor: testEditor,
});
const organization = (await container.organizations.find(orgId)) as Awaited<
  ReturnType<typeof makeOrganization>
>;
const redirectUri = `${baseUrl}/healthz`;
const { application } = await addApplication(container, {
  orgId,
  settings: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
  editor: testEditor,
});
const clientId = application.id;

/** The address that an application sends people to. */
function authorizeUrl(extra: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: clientId,
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

for (const width of [390, 1280]) {
  t.test(`${width} pixels wide`, async (t) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      javaScriptEnabled: false,
      locale: width === 390 ? 'de-DE' : 'en-GB',
      colorScheme: width === 390 ? 'light' : 'dark',
    });
    const page = await context.newPage();
    t.teardown(() => context.close());
    const user = await makePerson(container, organization);

    /** Takes a screenshot, and checks the promises of every page. */
    async function look(name: string): Promise<void> {
      await takeScreenshot(page, `${name}-${width}`);
      const overflow = await measure(page, 'document.documentElement.scrollWidth - window.innerWidth');
      t.equal(overflow <= 0, true, `${name} fits in the width`);
      const unlabelled = await measure(
        page,
        `[...document.querySelectorAll('input:not([type=hidden]):not([hidden]),select')].filter(i => i.labels.length === 0).length`,
      );
      t.equal(unlabelled, 0, `${name}: every input has a label`);
      t.equal(await page.locator('h1').count(), 1, `${name}: one title`);
      t.same(await axeViolations(page), [], `${name}: accessible`);
    }
    const fill = async (values: Record<string, string>) => {
      for (const [name, value] of Object.entries(values)) await page.locator(`#${name}`).fill(value);
    };
    const submit = (action: string) =>
      page.locator(`form[action$="${action}"] button[type=submit]`).first().click();
    const arrived = () => page.url().startsWith(redirectUri) && new URL(page.url()).searchParams;

    await page.goto(authorizeUrl());
    await look('login');
    t.equal(await page.evaluate(`document.activeElement.id`), 'loginName', 'the first field has the focus');
    await fill({ loginName: user.userName, password: 'Wrong-Horse-1' });
    await submit('/login');
    await look('login-wrong');
    t.equal(await page.getByRole('alert').count(), 1);
    await fill({ loginName: user.userName, password: goodPassword });
    await submit('/login');
    t.match(
      Object.fromEntries(arrived() || []),
      { code: /./, state: 'a state' },
      'back at the application with a code',
    );

    await page.goto(authorizeUrl());
    t.ok(arrived(), 'signed in already: no page');
    await page.goto(authorizeUrl({ prompt: 'create' }));
    await look('register');
    await fill({
      givenName: 'Bo',
      familyName: 'Ek',
      email: 'bo@',
      userName: `bo-${width}`,
      password: 'weak',
    });
    await fill({ email: 'bo@mail.example' });
    await submit('/login/register');
    await look('register-wrong');
    await fill({ password: goodPassword });
    await submit('/login/register');
    t.ok(arrived(), 'registered and back');

    await page.goto(authorizeUrl({ prompt: 'select_account' }));
    await look('select');
    await page.locator('button.account').first().click();
    t.ok(arrived(), 'chosen and back');

    const second = await makePerson(container, organization);
    const secret = await giveTotp(container, second);
    await requirePasswordChange(container, { orgId, id: second.id, editor: testEditor });
    await page.goto(authorizeUrl({ prompt: 'login', login_hint: second.userName }));
    t.equal(await page.locator('#loginName').inputValue(), second.userName);
    await fill({ password: goodPassword });
    await submit('/login');
    await look('code');
    await fill({ code: '000000' });
    await submit('/login/code');
    await look('code-wrong');
    await fill({ code: totpCode(secret, totpStep(clock.now())) });
    await submit('/login/code');
    await look('new-password');
    await fill({ password: 'Another-Horse-8', repeated: 'Another-Horse-8' });
    await submit('/login/new-password');
    t.ok(arrived(), 'with a second factor and a new password');

    const { body } = await call(`POST /admin/v1/orgs/${orgId}/users/${user.id}/one-time-links`, {
      as: owner,
    });
    await page.goto(body.url);
    await look('set-password');
    await fill({ password: 'Another-Horse-8', repeated: 'Another-Horse-8' });
    await submit('/login/password');
    await page.goto(body.url);
    await look('link-invalid');

    await page.goto(`${baseUrl}/account`);
    await look('account');
    const setUp = page.locator('a[href*="/account/totp"]');
    await setUp.click();
    await look('totp');
    await page.goto(`${baseUrl}/login?request=unknown`);
    await look('flow-ended');

    await page.goto(`${baseUrl}/oidc/v1/end_session`);
    await look('sign-out');
    await page.locator('button[value=yes]').click();
    await page.waitForURL(`${baseUrl}/oidc/v1/end_session/confirm?*`);
    await look('signed-out');
    await page.goto(`${baseUrl}/account`);
    t.match(page.url(), /\/login\?to=account$/, 'nobody is signed in any more');
  });
}

/** Runs an expression in the page. */
async function measure(page: Page, expression: string): Promise<number> {
  return page.evaluate<number>(expression);
}
