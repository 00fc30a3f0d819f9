import t from 'tap';
import { addMembership } from '#src/directory/memberships/add-membership.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { walkConsole } from '../support/app/walk-console.js';
import { launchChromium } from '../support/network/chromium.js';

/** The pages of organizations and of their settings, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne', domains: ['lindgren.example'] });

async function owner(preferredLanguage: string) {
  const person = await makePerson(container, home, { preferredLanguage });
  await addMembership(container, { userId: person.id, role: 'IAM_OWNER', editor: testEditor });
  return person.userName;
}

const settings = `/console/orgs/${home.id}/settings`;
const pages = {
  orgs: '/console/orgs',
  'orgs-new': '/console/orgs/new',
  settings,
  domains: `${settings}/domains`,
  members: `${settings}/members`,
  schemas: `${settings}/schemas`,
  'schema-edit': `${settings}/schemas/edit`,
  grants: `${settings}/grants`,
  remove: `/console/orgs/${home.id}/remove`,
};

for (const [width, locale] of [
  [390, 'de'],
  [1280, 'fr'],
] as const) {
  t.test(`${width} pixels wide, ${locale}`, async (t) => {
    await walkConsole(t, browser, { baseUrl, userName: await owner(locale), locale, width, pages });
  });
}

t.test('the search answers while the person types', async (t) => {
  const context = await browser.newContext({ locale: 'en' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${baseUrl}/console/orgs`);
  await page.locator('#loginName').fill(await owner('en'));
  await page.locator('#password').fill(goodPassword);
  await page.locator('form[action$="/login"] button[type=submit]').click();
  await page.waitForURL(`${baseUrl}/console/orgs`);
  await page.locator('#f-name').pressSequentially('lindg');
  await page.waitForURL(/name=lindg/);
  t.equal(await page.locator('#results tbody tr').count(), 1);
});
