import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo, walkConsole } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { cutTexts, takenLooks } from '../support/network/looks.js';

/** The sign-in policy of an organization, and the result of a trial, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const policy = `/console/orgs/${home.id}/settings/sign-in-policy`;

for (const [width, language] of takenLooks([
  [1280, 'fr'],
  [390, 'de'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages: { 'sign-in-policy': policy } });
    const page = await signInTo(t, browser, { baseUrl, from: policy, userName, width });
    const field = (name: string) => page.locator(`[id="f-demand-${name}"]`);
    await field('0-of').selectOption('everybody');
    await field('0-from').fill('2090-01-01');
    await page.locator('form[action$="/sign-in-policy"] button').first().click();
    await page.locator('#trial').waitFor();
    t.equal(await field('0-from').inputValue(), '2090-01-01', 'what was typed stays');
    t.equal(await field('1-of').count(), 1, 'another demand can follow');
    const named = page.locator('#trial table a', { hasText: userName });
    t.equal(await named.count(), 1, 'a link names the owner');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await takeScreenshot(page, `sign-in-policy-tried-${width}-${colorScheme}`);
      t.same(await axeViolations(page), [], 'the result of a trial keeps nobody out');
    }
    t.same(await cutTexts(page), []);
  });
}
