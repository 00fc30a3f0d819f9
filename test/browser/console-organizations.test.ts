import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo, walkConsole } from '../support/app/walk-console.js';
import { launchChromium } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The pages of organizations, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne', domains: ['lindgren.example'] });

const pages = {
  orgs: '/console/orgs',
  'orgs-new': '/console/orgs/new',
  remove: `/console/orgs/${home.id}/remove`,
};

for (const [width, language] of takenLooks([
  [1280, 'fr'],
  [390, 'de'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
  });
}

t.test('the search answers while the person types', async (t) => {
  const userName = await makeOwner(container, home, 'en');
  const page = await signInTo(t, browser, { baseUrl, from: '/console/orgs', userName, width: 1280 });
  await page.locator('#f-name').pressSequentially('lindg');
  await page.waitForURL(/name=lindg/);
  t.equal(await page.locator('#results tbody tr').count(), 1);
});
