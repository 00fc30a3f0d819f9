import t from 'tap';
import { addMembership } from '#src/directory/memberships/add-membership.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeCaller, testEditor } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { walkConsole } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

/** The pages of service users, applications and provisioning, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const caller = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
const { id: applicationId } = await makeApplication(container, home.id, { name: 'Tickets' });
for (const path of ['Users?filter=userName%20eq%20%22x%22', 'Users/missing', 'Userz']) {
  const headers = { authorization: `Bearer ${caller.token}`, 'user-agent': 'Azure SCIM/1.0' };
  await fetch(`${baseUrl}/scim/v2/${home.id}/${path}`, { headers });
}
await container.provisioningLog.flush();

async function owner(preferredLanguage: string) {
  const person = await makePerson(container, home, { preferredLanguage });
  await addMembership(container, { userId: person.id, role: 'IAM_OWNER', editor: testEditor });
  return person.userName;
}

const base = `/console/orgs/${home.id}`;
const pages = {
  'service-users': `${base}/service-users`,
  'service-users-new': `${base}/service-users/new`,
  'service-user': `${base}/service-users/${caller.id}`,
  'service-user-remove': `${base}/service-users/${caller.id}/remove`,
  applications: `${base}/applications`,
  'application-types': `${base}/applications/new`,
  'application-new': `${base}/applications/new?type=web`,
  application: `${base}/applications/${applicationId}`,
  'application-test': `${base}/applications/${applicationId}/test`,
  provisioning: `${base}/provisioning`,
  'provisioning-connect': `${base}/provisioning/connect`,
  'provisioning-test': `${base}/provisioning/test`,
  'provisioning-log': `${base}/provisioning/log`,
};

for (const [width, locale] of [
  [390, 'es'],
  [1280, 'en'],
] as const) {
  t.test(`${width} pixels wide, ${locale}`, async (t) => {
    await walkConsole(t, browser, { baseUrl, userName: await owner(locale), locale, width, pages });
  });
}

t.test('a client is connected, and its credential is shown once', async (t) => {
  const context = await browser.newContext({ locale: 'it' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${baseUrl}${base}/provisioning/connect`);
  await page.locator('#loginName').fill(await owner('it'));
  await page.locator('#password').fill(goodPassword);
  await page.locator('form[action$="/login"] button[type=submit]').click();
  await page.locator('#f-userName').fill('entra');
  await page.locator('main form button[type=submit]').click();
  await page.locator('code.secret').waitFor();
  t.same(await axeViolations(page), []);
  await takeScreenshot(page, 'connected-1280-light');
  t.equal(await page.locator('#test .badge.good').count(), 3);
});
