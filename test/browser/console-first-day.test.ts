import type { Page } from 'playwright-core';
import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo } from '../support/app/walk-console.js';
import { humanUser, importOf } from '../support/migration/imports.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/**
 * The first day of a new organization. Everything is done in the console, with the words that a person reads there. The parts are
 * the organization and its owner, an application, a provisioning connection, and an import with errors. Then somebody cannot sign
 * in, and a secret is replaced.
 */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, {
  loginFailureMilliseconds: 0,
  loginMaxFailures: 3,
  workers: true,
});
const home = await makeHome(container, { name: 'Instance' });
const ownPassword = 'Nordlicht-77-Birken';

for (const [width, colorScheme] of takenLooks([
  [390, 'dark'],
  [1280, 'light'],
] as const)) {
  t.test(`${width} pixels wide, ${colorScheme}`, { timeout: 240_000 }, async (t) => {
    const admin = await makeOwner(container, home, 'en');
    const page = await signInTo(t, browser, { baseUrl, from: '/console', userName: admin, width });
    await page.emulateMedia({ colorScheme });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const look = async (name: string, seen = page) => {
      t.same(await axeViolations(seen), [], `${name}: keeps nobody out`);
      const overflow = await seen.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: is not wider than the window`);
      await takeScreenshot(seen, `first-day-${name}-${width}-${colorScheme}`);
    };
    const company = `Fjord ${width}`;
    const owner = `olivia@fjord${width}.example`;
    const person = `per@fjord${width}.example`;

    // The organization and its owner, who gets a link and sets a password.
    await follow(page, 'Organizations');
    await page.getByRole('link', { name: 'Add an organization' }).click();
    await page.getByLabel('Name of the organization').fill(company);
    await page.getByLabel('User name').fill(owner);
    await page.getByLabel('E-mail address').fill(owner);
    await page.getByLabel('Given name').fill('Olivia');
    await page.getByLabel('Family name').fill('Owner');
    await page.getByRole('button', { name: 'Add and invite' }).click();
    const link = String(await page.locator('.secret').textContent());
    const orgId = /orgs\/([^/]+)\//.exec((await hrefOf(page, 'Add an application')) ?? '')?.[1] ?? '';
    await look('invited');

    const theirs = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en', colorScheme });
    t.teardown(() => theirs.close());
    const own = await theirs.newPage();
    own.setDefaultTimeout(15_000);
    await own.goto(link);
    await own.locator('#password').fill(ownPassword);
    await own.locator('#repeated').fill(ownPassword);
    await own.locator('main form button[type=submit]').last().click();
    await own.waitForLoadState();
    await own.goto(`${baseUrl}/console`);

    // An application.
    await follow(own, 'Applications');
    await own.getByRole('link', { name: 'Add an application' }).first().click();
    await own.getByRole('link', { name: 'Choose: Web application' }).click();
    await own.getByLabel('Name', { exact: true }).fill('Tickets');
    await own.getByLabel('Redirect URIs').fill('https://tickets.example/callback');
    await own.getByRole('button', { name: 'Add an application' }).click();
    const firstSecret = String(await own.locator('.secret').textContent());
    await own.getByRole('link', { name: 'Go on', exact: true }).click();
    const application = own.url();

    // A provisioning connection. Its credential is tried at once.
    await follow(own, 'Provisioning');
    await own.getByRole('link', { name: 'Connect a client' }).first().click();
    await own.getByLabel('Client', { exact: true }).selectOption('entra');
    await own.getByLabel('User name of its service user').fill('entra');
    await own.getByRole('button', { name: 'Connect a client' }).click();
    await own.locator('.secret').first().waitFor();
    t.equal(await own.locator('#test .badge.good').count(), 3, 'token, discovery and search work');
    await look('connection', own);

    // An import. One record has no user name, and one has an address that is none.
    const users = [
      humanUser(person, { userId: `per-${width}`, email: { email: person, isEmailVerified: true } }),
      humanUser('', { userId: `nameless-${width}` }),
      humanUser(`mistyped-${width}`, { email: { email: 'no address' } }),
    ];
    await follow(page, 'Migration');
    await page.getByRole('link', { name: 'Import', exact: true }).first().click();
    const upload = page.locator('form[enctype="multipart/form-data"]');
    await upload.getByLabel('Dry run').uncheck();
    const buffer = Buffer.from(JSON.stringify(importOf(orgId, users)));
    await upload
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'users.json', mimeType: 'application/json', buffer });
    await upload.getByRole('button', { name: 'Start' }).click();
    const errors = page.getByRole('table', { name: 'Errors' }).locator('tbody tr');
    await errors.nth(1).waitFor();
    t.equal(await errors.count(), 2);
    t.match(await errors.allTextContents(), [
      new RegExp(`nameless-${width}`),
      new RegExp(`mistyped-${width}`),
    ]);
    await page.getByText('completed').first().waitFor();
    await look('import', page);

    // The person cannot sign in. The log says why, and the owner unlocks them.
    const elsewhere = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en' });
    t.teardown(() => elsewhere.close());
    const visitor = await elsewhere.newPage();
    visitor.setDefaultTimeout(15_000);
    for (let attempt = 0; attempt < 4; attempt++) {
      await visitor.goto(`${baseUrl}/login`);
      await signIn(visitor, person, 'Wrong-Horse-7');
    }
    await follow(own, 'Log');
    await own.getByLabel('About', { exact: true }).fill(person);
    await own
      .locator('#results')
      .getByText(/is locked after too many failed attempts/)
      .first()
      .waitFor();
    t.match(await own.locator('#results').textContent(), /Sign-in of .* refused: password/);
    await look('log', own);
    await follow(own, 'Users');
    await own.getByLabel('Name, login name').fill('per@');
    await own.getByRole('link', { name: /per@/ }).first().click();
    await own.getByRole('link', { name: 'Sign-in', exact: true }).click();
    await own.getByRole('button', { name: 'Unlock' }).click();
    await own.getByText('The user is unlocked.').waitFor();
    await visitor.goto(`${baseUrl}/login`);
    await signIn(visitor, person, 'Correct-Horse-7');
    await visitor.getByText(`Signed in as ${person}`).waitFor();

    // A secret is replaced: the new one is added, then the old one is removed.
    await own.goto(application);
    const secrets = own.locator('#secrets');
    await secrets.getByLabel('Label').fill('second');
    await secrets.getByRole('button', { name: 'Add a secret' }).click();
    const nextSecret = String(await own.locator('.secret').textContent());
    t.not(nextSecret, firstSecret);
    const rows = own.getByRole('table', { name: 'Secrets' }).locator('tbody tr');
    t.equal(await rows.count(), 2);
    await rows.filter({ hasNotText: 'second' }).getByRole('link', { name: 'Remove' }).click();
    await own.getByLabel('Type the name to confirm: Tickets').fill('Tickets');
    await look('remove-secret', own);
    await own.getByRole('button', { name: 'Remove' }).click();
    await own.getByText('Removed.').waitFor();
    t.equal(await rows.count(), 1);
    t.same([await works(firstSecret), await works(nextSecret)], [false, true], 'the new secret alone counts');
    t.same(complaints, [], 'the policy forbids nothing that the pages do');

    /** Whether a secret of the application authenticates it. */
    async function works(secret: string): Promise<boolean> {
      const clientId = application.split('/').at(-1) ?? '';
      const body = new URLSearchParams({ token: 'x', client_id: clientId, client_secret: secret });
      return (await fetch(`${baseUrl}/oauth/v2/introspect`, { method: 'POST', body })).status === 200;
    }
  });
}

async function signIn(page: Page, loginName: string, password: string): Promise<void> {
  await page.locator('#loginName').fill(loginName);
  await page.locator('#password').fill(password);
  await page.locator('form[action$="/login"] button[type=submit]').click();
  await page.waitForLoadState();
}

const hrefOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name }).getAttribute('href');

/** Opens a page of the menu. On a narrow window the menu is behind a button. */
async function follow(page: Page, name: string): Promise<void> {
  const opener = page.locator('label.opener');
  if (await opener.isVisible()) await opener.click();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
}
