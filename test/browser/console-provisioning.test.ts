import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeCaller } from '../support/app/make.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo, walkConsole } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The pages of service users and of provisioning, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const caller = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
for (const path of ['Users?filter=userName%20eq%20%22x%22', 'Users/missing', 'Userz']) {
  const headers = { authorization: `Bearer ${caller.token}`, 'user-agent': 'Azure SCIM/1.0' };
  await fetch(`${baseUrl}/scim/v2/${home.id}/${path}`, { headers });
}
await container.provisioningLog.flush();

const base = `/console/orgs/${home.id}`;
const pages = {
  'service-users': `${base}/service-users`,
  'service-users-new': `${base}/service-users/new`,
  'service-user': `${base}/service-users/${caller.id}`,
  provisioning: `${base}/provisioning`,
  'provisioning-connect': `${base}/provisioning/connect`,
  'provisioning-test': `${base}/provisioning/test`,
  'provisioning-log': `${base}/provisioning/log`,
};

for (const [width, language] of takenLooks([
  [390, 'fr'],
  [1280, 'en'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
  });
}

t.test('a client is connected, and its credential is shown once', async (t) => {
  const userName = await makeOwner(container, home, 'it');
  const from = `${base}/provisioning/connect`;
  const page = await signInTo(t, browser, { baseUrl, from, userName, width: 1280 });
  await page.locator('#f-userName').fill('entra');
  await page.locator('main form button[type=submit]').click();
  await page.locator('code.secret').waitFor();
  t.same(await axeViolations(page), []);
  await takeScreenshot(page, 'connected-1280-light');
  t.equal(await page.locator('#test .badge.good').count(), 3);
});
