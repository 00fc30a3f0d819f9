import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { clockText, timeText } from '#src/http/base/local-time.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** Start and log of the console in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const owner = await makePerson(container, home);
await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor: testEditor });

for (const [width, locale, colorScheme] of takenLooks([
  [1280, 'en-GB', 'dark'],
  [390, 'de-DE', 'light'],
] as const)) {
  t.test(`${width} pixels wide, ${locale}, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, locale, colorScheme });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${baseUrl}/console`);
    await page.locator('#loginName').fill(owner.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(`${baseUrl}/console`);
    for (const [name, path] of [
      ['start', '/console'],
      ['log', '/console/log'],
      ['log-org', `/console/orgs/${home.id}/log`],
    ]) {
      await page.goto(`${baseUrl}${path}`);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      t.same(await axeViolations(page), [], String(name));
      await takeScreenshot(page, `operations-${name}-${width}-${colorScheme}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
    }

    await page.goto(`${baseUrl}/console/log`);
    const before = await page.locator('#results tbody tr').count();
    t.ok(before > 0);
    await page.locator('#f-type').selectOption('refused');
    await page.locator('#results .empty').waitFor();
    t.match(page.url(), 'type=refused', 'the address has the filter');
    t.same(complaints, [], 'the policy forbids nothing that the page does');
  });
}

t.test('times are those of the browser, in lists, in filters and in results that come later', async (t) => {
  const timezoneId = 'Australia/Adelaide';
  const context = await browser.newContext({ locale: 'de-DE', timezoneId });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${baseUrl}/console/log`);
  await page.locator('#loginName').fill(owner.userName);
  await page.locator('#password').fill(goodPassword);
  await page.locator('form[action$="/login"] button[type=submit]').click();
  await page.waitForURL(`${baseUrl}/console/log`);
  const expected = (iso: string) => timeText(new Date(iso), { language: 'de', timeZone: timezoneId });
  const isLocal = async () => {
    const times = page.locator('#results time');
    await page.locator('#results time[data-local]').first().waitFor();
    for (const time of await times.all())
      t.equal(await time.textContent(), expected((await time.getAttribute('datetime')) ?? ''));
  };
  await isLocal();
  t.match(await page.locator('label[for=f-since]').textContent(), `(${timezoneId})`);
  const before = await page.locator('#results time').count();
  await page.locator('#f-until').fill(clockText(new Date(), timezoneId));
  await page.waitForURL(/zone=Australia%2FAdelaide/);
  await isLocal();
  t.equal(await page.locator('#results time').count(), before, 'until now, as the clocks there show it');
  await page.locator('#f-since').fill(clockText(new Date(Date.now() + 120_000), timezoneId));
  await page.locator('#results .empty').waitFor();

  await page.goto(`${baseUrl}/account`);
  const time = page.locator('#sessions ~ * time, time').first();
  t.equal(
    await time.textContent(),
    expected((await time.getAttribute('datetime')) ?? ''),
    'on the account page',
  );
});
