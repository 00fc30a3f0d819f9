import t from 'tap';
import { addMembership } from '#src/directory/memberships/add-membership.js';
import { newId } from '#src/platform/ids.js';
import { freePort } from '../../dev/free-port.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

const organization = await makeHome(container, { name: 'Lindgren & Söhne' });
const operator = await makePerson(container, organization);
await addMembership(container, { userId: operator.id, role: 'IAM_OWNER', editor: testEditor });

async function makeJob(total: number): Promise<string> {
  const id = newId();
  const created = clock.now();
  const body = Buffer.from('{}');
  const kind = 'scim-bulk';
  await container.jobs.insert({ id, kind, orgId: organization.id, requestedBy: 'x', total, created, body });
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

for (const [width, locale, colorScheme] of [
  [390, 'de-DE', 'light'],
  [1280, 'en-GB', 'dark'],
] as const) {
  t.test(`${width} pixels wide`, async (t) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale, colorScheme });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const ended = await makeJob(100);
    await container.jobs.end(ended, 'failed');
    const running = await makeJob(80);
    await advance(running, { done: 20, errors: 3 });

    await page.goto(`${baseUrl}/operations/jobs`);
    await page.locator('#loginName').fill(operator.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(`${baseUrl}/operations/jobs`);
    t.equal(await page.locator('h1').count(), 1);
    t.equal(await page.getByText(ended).count(), 1);
    const bar = page.locator('.job', { hasText: running }).getByRole('progressbar');
    t.equal(await bar.getAttribute('value'), '20');
    await takeScreenshot(page, `jobs-${width}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(Number(overflow) <= 0, 'it fits in the width');

    const later = await makeJob(5);
    await page.getByText(later).waitFor();
    await container.jobs.end(running, 'completed');
    await bar.waitFor({ state: 'detached' });
    await container.jobs.end(later, 'completed');
    const refused = complaints.filter((text) => text.includes('Content Security Policy'));
    t.same(refused, [], 'nothing that the policy of the page forbids');
  });
}
