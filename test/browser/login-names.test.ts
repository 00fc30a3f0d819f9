import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

for (const [width, locale, label] of takenLooks([
  [390, 'de-DE', 'Organisation'],
  [1280, 'en-GB', 'Organization'],
] as const)) {
  t.test(`${width} pixels: two people have the name, and each signs in`, async (t) => {
    const name = `maria-${width}`;
    const [first, second] = [await makeHome(container), await makeHome(container)];
    await makePerson(container, first, { userName: name });
    clock.advance(1);
    await makePerson(container, second, { userName: name, password: 'Another-Horse-8' });

    const context = await browser.newContext({
      viewport: { width, height: 800 },
      javaScriptEnabled: false,
      locale,
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const submit = async (values: Record<string, string>) => {
      const form = page.locator('form[action$="/login"]');
      for (const [field, value] of Object.entries(values)) await form.locator(`#${field}`).fill(value);
      await form.locator('button[type=submit]').click();
    };

    await page.goto(`${baseUrl}/login`);
    t.equal(await page.getByLabel(label).count(), 0, 'the organization is not asked for at first');
    await submit({ loginName: name, password: goodPassword });
    t.match(page.url(), /\/account/, 'the first needs only the name');

    await context.clearCookies();
    await page.goto(`${baseUrl}/login`);
    await submit({ loginName: name, password: 'Another-Horse-8' });
    t.equal(await page.getByLabel(label).count(), 1, 'the page asks for the organization');
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(overflow <= 0, 'it fits in the width');
    await takeScreenshot(page, `login-organization-${width}`);
    await submit({ password: 'Another-Horse-8', organization: second.name });
    t.match(page.url(), /\/account/, 'the second is found in the organization');
    t.match(await page.locator('main').textContent(), name);
  });
}
