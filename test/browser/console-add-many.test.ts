import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor, uniqueName } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** "Add many" in a browser, with and without JavaScript. `clicks` counts its clicks. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, {
  workers: true,
  loginFailureMilliseconds: 0,
  smtpUrl: 'smtp://127.0.0.1:9',
});
/** The most bytes of a page. */
const largestPage = 80_000;

const looks = [
  ...takenLooks([
    [390, 'de-DE', 'dark', true],
    [1280, 'en-GB', 'light', true],
    [390, 'en-GB', 'light', true],
    [1280, 'de-DE', 'dark', true],
  ] as const),
  [1280, 'en-GB', 'light', false] as const,
];

for (const [width, locale, colorScheme, javaScriptEnabled] of looks) {
  const look = `${width} pixels wide, ${locale}, ${colorScheme}, JavaScript ${javaScriptEnabled}`;
  t.test(look, async (t) => {
    const home = await makeHome(container, { name: uniqueName('Lindgren & Söhne') });
    const owner = await makePerson(container, home, { name: { givenName: 'Olga', familyName: 'Owner' } });
    await addMembership(container, {
      ...{ userId: owner.id, role: 'ORG_OWNER', orgId: home.id, editor: testEditor },
    });
    const context = await browser.newContext({
      ...{ viewport: { width, height: 900 }, locale, colorScheme, javaScriptEnabled },
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const check = async (name: string) => {
      t.ok((await page.content()).length < largestPage, `${name}: small`);
      if (!javaScriptEnabled) return;
      t.same(await axeViolations(page), [], `${name}: axe`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
      await takeScreenshot(page, `console-${name}-${width}-${colorScheme}`);
    };
    const click = (selector: string) => page.locator(selector).first().click();

    await page.goto(`${baseUrl}/console`);
    await page.locator('#loginName').fill(owner.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(`${baseUrl}/console`);

    if (width < 800) await page.locator('label[for=menu-open]').click();
    await click('nav a[href$="/users"]');
    await click('a[href$="/users/many"]');
    await page.waitForURL(/\/many$/);
    await check('add-many');
    const word = uniqueName('people');
    const people = Array.from(
      { length: 40 },
      (_, n) => `Person${n},Familie-${n},p${n}@${word}.example,Werk ${n}`,
    );
    const table = `Vorname,Nachname,E-Mail,Abteilung\n${people.join('\n')}\nX,Y,${owner.userName},Z\nNobody,Nowhere,,\n`;
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
    await page.locator('input[type=file]').setInputFiles(file);
    await click('form[enctype="multipart/form-data"] button[type=submit]');
    await page.waitForURL(/\/many\/[\w-]+$/);
    await check('add-many-review');
    await click('form[action$="/run"] button[type=submit]');
    await page.waitForURL(/\/many\/jobs\//);
    const importNow = page.locator('form[action$="/run"] button[type=submit]');
    await importNow.waitFor();
    await check('add-many-dry-run');
    t.equal(await container.users.count(home.id), 1, 'a dry run changes nothing');

    const dryRun = page.url();
    await click('form[action$="/run"] button[type=submit]');
    await page.waitForURL((url) => url.href !== dryRun && url.pathname.includes('/many/jobs/'));
    await page.locator('form[action$="/links"] button').waitFor();
    t.equal(await container.users.count(home.id), 41);
    await check('add-many-import');
    const imported = page.url();
    await page.locator('form[action$="/links"] button').click();
    await page.waitForURL(/done=links/);
    await check('add-many-links');
    await page.goto(imported);
    await page
      .locator('button[name=do][value=compare], form:has(input[name=do][value=compare]) button')
      .click();
    await page.waitForURL((url) => url.href !== imported && url.pathname.includes('/many/jobs/'));
    await page.locator('a[href$="/differences"]').waitFor();
    await check('add-many-compared');
    await page.goto(`${baseUrl}/console/orgs/${home.id}/users/many`);
    const realm = JSON.stringify(
      { realm: 'a', groups: [{ name: 'Lab' }, { name: 'Lab' }, {}], users: [] },
      undefined,
      1,
    );
    const bad = { name: 'realm.json', mimeType: 'application/json', buffer: Buffer.from(realm) };
    await page.locator('input[type=file]').setInputFiles(bad);
    await page.locator('form[enctype="multipart/form-data"] button[type=submit]').click();
    await page.waitForURL(/\/many\/[\w-]+$/);
    await check('add-many-groups');
    await page.goto(`${baseUrl}/console/orgs/${home.id}/users/many`);
    const none = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('shoe,hat\n41,7\n') };
    await page.locator('input[type=file]').setInputFiles(none);
    await page.locator('form[enctype="multipart/form-data"] button[type=submit]').click();
    await page.waitForURL(/\/many\/[\w-]+$/);
    await check('add-many-nobody');
    const refusals = complaints.splice(0);
    t.ok(
      refusals.every((text) => /status of 400/.test(text)),
      'files in which nobody can be found',
    );
    if (javaScriptEnabled) {
      await page.goto(`${baseUrl}/console`);
      if (width < 800) await page.locator('label[for=menu-open]').click();
      await click('nav a[href$="/users"]');
      await click('a[href$="/users/export"]');
      await page.waitForURL(/\/export$/);
      await check('add-many-export');
      await click('form[action$="/users/export"] button[type=submit]');
      const download = page.waitForEvent('download');
      await click('a[href$="/result"]');
      t.match(await (await download).suggestedFilename(), /./);
    }
    t.same(complaints, [], 'the browser complains about nothing');
  });
}
