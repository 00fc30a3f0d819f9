import t from 'tap';
import { addMembership } from '#src/directory/memberships/add-membership.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeCaller, testEditor } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

/** The pages for organizations, settings, service users, applications and provisioning, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne', domains: ['lindgren.example'] });
const owner = await makePerson(container, home);
await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor: testEditor });
const caller = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
const { id: applicationId } = await makeApplication(container, home.id, { name: 'Tickets' });
const organization = `/console/orgs/${home.id}`;
for (const path of ['Users?filter=userName%20eq%20%22x%22', 'Users/missing', 'Userz']) {
  await fetch(`${baseUrl}/scim/v2/${home.id}/${path}`, {
    headers: { authorization: `Bearer ${caller.token}` },
  });
}
await container.provisioningLog.flush();

const pages = {
  'orgs-new': '/console/orgs/new',
  settings: `${organization}/settings`,
  domains: `${organization}/settings/domains`,
  members: `${organization}/settings/members`,
  schemas: `${organization}/settings/schemas`,
  'schema-edit': `${organization}/settings/schemas/edit`,
  grants: `${organization}/settings/grants`,
  remove: `${organization}/remove`,
  'service-users': `${organization}/service-users`,
  'service-users-new': `${organization}/service-users/new`,
  'service-user': `${organization}/service-users/${caller.id}`,
  applications: `${organization}/applications`,
  'application-types': `${organization}/applications/new`,
  'application-new': `${organization}/applications/new?type=web`,
  application: `${organization}/applications/${applicationId}`,
  'application-test': `${organization}/applications/${applicationId}/test`,
  provisioning: `${organization}/provisioning`,
  'provisioning-connect': `${organization}/provisioning/connect`,
  'provisioning-test': `${organization}/provisioning/test`,
  'provisioning-log': `${organization}/provisioning/log`,
};

for (const [width, locale, colorScheme] of [
  [390, 'de-DE', 'dark'],
  [390, 'es-ES', 'light'],
  [1280, 'en-GB', 'light'],
  [1280, 'fr-FR', 'dark'],
] as const) {
  t.test(`${width} pixels wide, ${locale}, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale, colorScheme });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const check = async (name: string) => {
      t.same(await axeViolations(page), [], `${name}: nothing keeps anybody out`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
      const bytes = await page.evaluate<number>('document.documentElement.outerHTML.length');
      t.ok(bytes < 100_000, `${name}: ${bytes} characters`);
      await takeScreenshot(page, `objects-${name}-${width}-${colorScheme}`);
    };

    await page.goto(`${baseUrl}/console/orgs`);
    await page.locator('#loginName').fill(owner.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(`${baseUrl}/console/orgs`);

    await page.locator('#f-name').pressSequentially('lindg');
    await page.waitForURL(/name=lindg/);
    t.equal(await page.locator('#results tbody tr').count(), 1, 'the search answers while the person types');
    await check('orgs');
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${baseUrl}${path}`);
      await check(name);
    }

    await page.goto(`${baseUrl}${organization}/provisioning/connect`);
    await page.locator('#f-userName').fill(`client-${width}-${colorScheme}`);
    await page.locator('main form button[type=submit]').click();
    await page.locator('code.secret').waitFor();
    await check('connected');
    t.same(complaints, [], 'the policy forbids nothing that the pages do');
  });
}
