import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

/** The frame of the console in a browser: the menu, the policy, both colour schemes and both widths. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const owner = await makePerson(container, home);
await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor: testEditor });

for (const [width, locale, colorScheme] of [
  [390, 'de-DE', 'dark'],
  [390, 'en-GB', 'light'],
  [1280, 'fr-FR', 'light'],
  [1280, 'en-GB', 'dark'],
] as const) {
  t.test(`${width} pixels wide, ${locale}, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale, colorScheme });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));

    await page.goto(`${baseUrl}/`);
    await page.locator('#loginName').fill(owner.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(`${baseUrl}/console`);
    t.same(await axeViolations(page), []);
    await takeScreenshot(page, `console-start-${width}-${colorScheme}`);

    if (width < 900) await page.locator('label.opener').click();
    await page.locator('.menu a[href$="/console/orgs"]').click();
    await page.waitForURL(`${baseUrl}/console/orgs`);
    t.equal(
      await page.locator('tbody tr').count(),
      (await container.organizations.page({ limit: 100 })).length,
    );
    t.same(await axeViolations(page), []);
    await takeScreenshot(page, `console-orgs-${width}-${colorScheme}`);

    await page.goto(`${baseUrl}/console/orgs/new`);
    await page.locator('#f-name').fill(`Grün ${width} ${colorScheme}`);
    t.same(await axeViolations(page), []);
    await takeScreenshot(page, `console-orgs-new-${width}-${colorScheme}`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(overflow <= 0, 'nothing is wider than the window');
    t.same(complaints, [], 'the policy forbids nothing that the page does');
  });
}
