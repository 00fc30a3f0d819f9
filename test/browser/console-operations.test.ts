import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { newId } from '#src/platform/ids.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** Migration, jobs and service of the console in a browser, with rows that update themselves. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const owner = await makePerson(container, home);
await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor: testEditor });

async function makeJob(kind: 'import' | 'scim-bulk', total: number): Promise<string> {
  const id = newId();
  const created = container.clock.now();
  const about = { id, kind, orgId: '*', requestedBy: 'x', total, created };
  await container.jobs.insert({ ...about, body: Buffer.from('{}') });
  return id;
}

/** Lets a job be so far. */
async function advance(jobId: string, { done, errors }: { done: number; errors: number }): Promise<void> {
  const attempt = { jobId, attemptId: newId() };
  await container.jobs.start(attempt);
  const results = new Map(Array.from({ length: done }, (_, n) => [n, 1]));
  await container.mongo.transaction((transaction) =>
    container.jobs.recordParts(attempt, { results, errors }, transaction),
  );
}

for (const [width, locale, colorScheme] of takenLooks([
  [390, 'de-DE', 'light'],
  [1280, 'en-GB', 'dark'],
] as const)) {
  t.test(`${width} pixels wide, ${locale}, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, locale, colorScheme });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const failed = await makeJob('scim-bulk', 100);
    await container.jobs.end(failed, 'failed');
    const running = await makeJob('scim-bulk', 80);
    await advance(running, { done: 20, errors: 3 });

    await page.goto(`${baseUrl}/console`);
    await page.locator('#loginName').fill(owner.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(`${baseUrl}/console`);
    await page.goto(`${baseUrl}/console/migration/import`);
    t.ok(await page.locator('[name=serviceAccount]').isVisible(), 'the fields of Google');
    for (const [storage, seen, hidden] of [
      ['S3', 'secretAccessKey', 'azureKey'],
      ['Azure', 'azureKey', 'serviceAccount'],
    ] as const) {
      await page.locator(`input[name=storage][value=${storage}]`).check();
      t.ok(await page.locator(`[name=${seen}]`).isVisible(), `${storage}: its own fields`);
      t.notOk(await page.locator(`[name=${hidden}]`).isVisible(), `${storage}: no others`);
      t.same(await axeViolations(page), [], storage);
      await takeScreenshot(page, `operations-import-${storage}-${width}-${colorScheme}`);
    }

    for (const [name, path] of [
      ['migration', '/console/migration'],
      ['import', '/console/migration/import'],
      ['export', '/console/migration/export'],
      ['job', `/console/migration/jobs/${running}`],
      ['service', '/console/service'],
      ['jobs', '/console/service/jobs'],
    ]) {
      await page.goto(`${baseUrl}${path}`);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      t.same(await axeViolations(page), [], String(name));
      await takeScreenshot(page, `operations-${name}-${width}-${colorScheme}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
    }

    const row = page.locator('tr', { has: page.locator(`a[href$="${running}"]`) });
    t.equal(await row.getByRole('progressbar').getAttribute('value'), '20');
    const later = await makeJob('scim-bulk', 5);
    await page.locator(`a[href$="${later}"]`).waitFor();
    await container.jobs.end(running, 'completed');
    await row.getByRole('progressbar').waitFor({ state: 'detached' });
    await container.jobs.end(later, 'completed');

    t.same(complaints, [], 'the policy forbids nothing that the page does');
  });
}
