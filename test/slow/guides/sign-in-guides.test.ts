import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../../dev/until.js';
import { followGuide } from '../../support/docs/follow-guide.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { isAskedToSignIn, openPage, signIn } from '../../support/docs/visit-application.js';
import { launchChromium } from '../../support/network/chromium.js';

/** A person uses the applications of the guides as their readers made them. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

// Applications renew an access token a minute before it expires, so they renew this one at each use.
const muster = await startMusterOfReader(t, { accessTokenSeconds: 30 });
const { answered } = muster;

/** How often Muster gave this answer. */
const times = (answer: string) => answered.filter((one) => one === answer).length;

t.test('single-page-application.md: the page signs a person in and out, and renews its tokens', async (t) => {
  const guide = await followGuide(t, muster, { name: 'single-page-application.md', ports: [5173] });
  const address = `http://localhost:${guide.port}`;
  await guide.start();
  const page = await openPage(t, browser);
  const before = times('refresh_token issued');
  await signInThere(page, address);
  t.equal(page.url(), `${address}/`, 'the code is not in the address');
  await until(() => times('refresh_token issued') > before, { within: 15_000 });
  await page.reload();
  await page.getByText('Hello, Anna Lind').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Nobody is signed in').waitFor();
  t.equal(page.url(), `${address}/`, 'back at the page');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.ok(await isAskedToSignIn(page, muster), 'the session at Muster has ended too');

  await signInThere(page, address);
  await guide.shell.run(endSessions);
  await page.getByText('Nobody is signed in').waitFor();
});

/** What an administrator does to end the sessions of the person. */
const endSessions = `admin -X DELETE "$BASE/admin/v1/orgs/$ORG/users/${muster.person.id}/sessions"`;

/** Opens the application, signs in, and sees the name that userinfo has. */
async function signInThere(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByText('Nobody is signed in').waitFor();
  await page.getByText('Sign in', { exact: true }).click();
  await signIn(page, muster);
  await page.getByText('Hello, Anna Lind (anna.lind@people.example)').waitFor();
}

for (const name of ['express.md', 'fastify.md']) {
  t.test(`${name}: the server signs a person in and out, and renews the access token`, async (t) => {
    const guide = await followGuide(t, muster, { name, ports: [3000] });
    const address = `http://localhost:${guide.port}`;
    await guide.start();
    const page = await openPage(t, browser);
    await signInThere(page, address);
    t.equal(new URL(page.url()).origin, address);

    const before = times('refresh_token issued');
    await page.reload();
    await page.getByText('Hello, Anna Lind').waitFor();
    t.ok(times('refresh_token issued') > before, 'the access token was about to expire');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Nobody is signed in').waitFor();
    t.equal(page.url(), `${address}/`, 'back at the application');
    await page.getByRole('link', { name: 'Sign in' }).click();
    t.ok(await isAskedToSignIn(page, muster), 'the session at Muster has ended too');

    await signInThere(page, address);
    await guide.shell.run(endSessions);
    await page.reload();
    await page.getByText('Nobody is signed in').waitFor();
  });
}
