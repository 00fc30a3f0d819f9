import t from 'tap';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { freePort } from '../../dev/free-port.js';
import { testEditor } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const redirectUri = `${baseUrl}/healthz`;
const { container, app } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

const supplier = await makeHome(container);
await changeOrganization(container, {
  orgId: supplier.id,
  change: { name: 'Lieferanten-Software Grünwald & Partner' },
  editor: testEditor,
});
const { id: client_id } = await makeApplication(container, supplier.id, {
  name: 'Reisekosten',
  orgOnly: false,
  redirectUris: [redirectUri],
});
const home = await makeHome(container);

for (const [width, locale, colorScheme] of takenLooks([
  [390, 'fr-FR', 'dark'],
  [390, 'de-DE', 'light'],
  [1280, 'en-GB', 'dark'],
  [1280, 'es-ES', 'light'],
] as const)) {
  t.test(`${width} pixels, ${locale}, ${colorScheme}: allow, use, and take back`, async (t) => {
    const person = await makePerson(container, home);
    const context = await browser.newContext({
      ...{ viewport: { width, height: 800 }, javaScriptEnabled: false, locale, colorScheme },
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const authorize = (scope: string) => {
      const query = { client_id, redirect_uri: redirectUri, response_type: 'code', scope };
      return page.goto(`${baseUrl}/oauth/v2/authorize?${new URLSearchParams(query)}`);
    };
    const look = async (name: string) => {
      await takeScreenshot(page, `${name}-${width}-${colorScheme}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name} fits in the width`);
      t.equal(await page.locator('h1').count(), 1, `${name}: one title`);
    };
    const button = (value: string) => page.locator(`button[name=decision][value=${value}]`);
    const parameters = () => new URL(page.url()).searchParams;
    const everything = 'openid profile email phone address offline_access urn:service:iam:user:resourceowner';

    await authorize(everything);
    await page.locator('#loginName').fill(person.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await look('consent');
    const text = await page.locator('main').textContent();
    for (const part of ['Reisekosten', 'Grünwald & Partner', person.userName, `127.0.0.1:${port}`]) {
      t.match(text, part);
    }
    t.equal(await page.locator('main ul').first().locator('li').count(), 7, 'each scope has a text');
    await button('deny').click();
    t.equal(parameters().get('error'), 'access_denied');

    await authorize(everything);
    await button('allow').click();
    t.ok(parameters().get('code'));
    await authorize('openid profile');
    t.ok(parameters().get('code'), 'it is not asked again');

    await authorize('profile');
    await look('refused');
    t.match(await page.locator('main').textContent(), `127.0.0.1:${port}`);
    await page.locator('main a').click();
    t.equal(parameters().get('error'), 'invalid_scope', 'the person may go on');

    await page.goto(`${baseUrl}/account`);
    await look('account-consents');
    const section = page.locator('section[aria-labelledby=consents]');
    t.match(await section.textContent(), 'Reisekosten');
    await section.locator('button').click();
    t.equal(await page.getByRole('status').count(), 1, 'the page says that it is done');
    t.equal(await section.count(), 0);
    await authorize('openid profile');
    t.equal(await button('allow').count(), 1, 'it is asked again');
  });
}
