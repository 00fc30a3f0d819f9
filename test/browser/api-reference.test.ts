import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The reference of the API in a browser, under its Content-Security-Policy. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { baseUrl } = await buildListeningApp(t);

for (const [width, colorScheme] of takenLooks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  t.test(`${width} pixels wide, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      javaScriptEnabled: false,
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    const origins = new Set<string>();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => origins.add(new URL(request.url()).origin));

    // These pages are long, so axe looks at each of them at one width.
    const look = async (name: string, axeAt: number) => {
      if (axeAt === width) t.same(await axeViolations(page), [], `${name}: axe`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
      await takeScreenshot(page, `api-reference-${name}-${width}-${colorScheme}`);
    };
    await page.goto(`${baseUrl}/docs/api`);
    await look('operations', 390);

    // A newcomer finds out how to revoke a token.
    await page
      .getByRole('article')
      .getByRole('link', { name: /^Revocation/ })
      .click();
    const operation = page.locator('#revoke');
    await operation.getByText('/oauth/v2/revoke').first().waitFor();
    await operation.getByText(/^Example/).click();
    t.match(await operation.locator('pre').textContent(), /curl -X POST '.*\/oauth\/v2\/revoke'/);
    for (const summary of await page.locator('details:not([open]) > summary').all())
      if (await summary.isVisible()) await summary.click();
    await look('oauth', 1280);

    await page.goto(`${baseUrl}/docs/api/schemas/User`);
    await page.getByText('Fields of name', { exact: true }).click();
    await page.getByRole('rowheader', { name: 'familyName' }).waitFor();
    await look('schema', 390);
    // A guide, as the console and the errors lead to it.
    await page.goto(`${baseUrl}/docs/guides`);
    await look('guides', 390);
    await page.getByRole('article').getByRole('link', { name: 'Express', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in with Express' }).waitFor();
    await look('guide', 1280);
    await page.getByRole('link', { name: 'why', exact: true }).first().click();
    t.match(page.url(), /\/docs\/relying-parties#where-the-claims-are$/);
    await page.getByRole('heading', { name: 'Where the claims are' }).waitFor();
    t.same([...origins], [baseUrl], 'the pages ask no other origin');
    t.same(complaints, [], 'the browser has nothing to complain about');
  });
}
