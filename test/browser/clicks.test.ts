import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { until } from '../../dev/until.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { signInTo } from '../support/app/walk-console.js';
import { launchChromium } from '../support/network/chromium.js';

/**
 * Counts the clicks of daily tasks. `console-connect` counts those of a single-page application, `console-applications` those of an own API,
 * and `console-add-many` those of files.
 */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, {
  loginFailureMilliseconds: 0,
  loginMaxFailures: 3,
});

/** Counts the clicks of a task. It begins at a page, and fails if the task needs more. */
async function countClicks(
  t: Test,
  page: Page,
  {
    task,
    from = '/console',
    most,
    steps,
  }: { task: string; from?: string; most: number; steps: (click: Click) => Promise<void> },
): Promise<void> {
  await page.goto(`${baseUrl}${from}`);
  let clicks = 0;
  await steps((role, name, on = page) => {
    clicks++;
    return on
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
  });
  t.ok(clicks <= most, `${task}: ${clicks} of ${most} clicks`);
}

type Click = (role: 'link' | 'button', name: string | RegExp, on?: Page) => Promise<void>;

t.test('daily tasks of an owner take few clicks', { timeout: 120_000 }, async (t) => {
  const small = await makeHome(container, { name: 'Small' });
  const owner = await makePerson(container, small);
  const role = { userId: owner.id, role: 'ORG_OWNER', orgId: small.id, editor: testEditor } as const;
  await addMembership(container, role);
  const locked = await makePerson(container, small, {
    name: { givenName: 'Lena', familyName: 'Locked' },
    displayName: 'Lena Locked',
  });
  for (let attempt = 0; attempt < 4; attempt++) {
    const visitor = await browser.newPage();
    await visitor.goto(`${baseUrl}/login`);
    await visitor.locator('#loginName').fill(locked.userName);
    await visitor.locator('#password').fill('Wrong-Horse-7');
    await visitor.locator('form[action$="/login"] button[type=submit]').click();
    await visitor.waitForLoadState();
    await visitor.close();
  }
  const signedIn = { baseUrl, userName: owner.userName, from: '/console', width: 1280 } as const;
  const page = await signInTo(t, browser, signedIn);
  await countClicks(t, page, {
    task: 'add a user with a link',
    most: 3,
    async steps(click) {
      await click('link', 'Users');
      await click('link', 'Add a user');
      await page.locator('#f-userName').fill('new.person');
      await click('button', 'Add a user');
      await page.locator('.secret').waitFor();
    },
  });
  await countClicks(t, page, {
    task: 'find a person',
    most: 1,
    async steps(click) {
      await click('link', 'Users');
      await page.locator('#f-search').pressSequentially('Lena');
      await until(async () => (await page.locator('tbody tr').count()) === 1);
    },
  });
  await countClicks(t, page, {
    task: 'see why a person cannot sign in, and unlock',
    most: 4,
    async steps(click) {
      await click('link', 'Users');
      await click('link', /Lena Locked/);
      await click('link', 'Sign-in');
      await click('button', 'Unlock');
      await page.getByText('The user is unlocked.').waitFor();
    },
  });
  await countClicks(t, page, {
    task: 'connect Entra',
    most: 3,
    async steps(click) {
      await click('link', 'Provisioning');
      await click('link', 'Connect a client');
      await page.getByLabel('Client', { exact: true }).selectOption('entra');
      await page.getByLabel('User name of its service user').fill('entra');
      await click('button', 'Connect a client');
      await page.locator('.secret').first().waitFor();
    },
  });
});

t.test('an administrator who is invited comes in with four clicks', async (t) => {
  const small = await makeHome(container, { name: 'Fjord' });
  const owner = await makePerson(container, small);
  const role = { userId: owner.id, role: 'ORG_OWNER', orgId: small.id, editor: testEditor } as const;
  await addMembership(container, role);
  const signedIn = { baseUrl, userName: owner.userName, from: '/console', width: 1280 } as const;
  const page = await signInTo(t, browser, signedIn);
  const context = await browser.newContext({ locale: 'en' });
  t.teardown(() => context.close());
  const theirs = await context.newPage();
  await countClicks(t, page, {
    task: 'invite an administrator who comes in',
    most: 4,
    async steps(click) {
      await click('link', 'Users');
      await click('link', 'Add a user');
      await page.locator('#f-userName').fill('olivia.owner');
      await page.getByLabel('Role').selectOption('ORG_OWNER');
      await click('button', 'Add a user');
      await theirs.goto(String(await page.locator('.secret').textContent()));
      await theirs.locator('#password').fill(goodPassword);
      await theirs.locator('#repeated').fill(goodPassword);
      await click('button', 'Set password', theirs);
      await theirs.waitForURL(`${baseUrl}/console`);
      await theirs.getByRole('link', { name: 'Users', exact: true }).first().waitFor();
    },
  });
});

t.test('a person registers and sets up a second factor with two clicks each', async (t) => {
  const open = await makeHome(container, { name: 'Open', login: { selfRegistration: true } });
  const redirectUri = `${baseUrl}/healthz`;
  const { application } = await addApplication(container, {
    orgId: open.id,
    settings: { name: 'Timesheets', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
    editor: testEditor,
  });
  const context = await browser.newContext({ locale: 'en' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await countClicks(t, page, {
    task: 'register as a person',
    from: `/oauth/v2/authorize?${new URLSearchParams({
      ...{ client_id: application.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      ...{ code_challenge_method: 'S256', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    })}`,
    most: 2,
    async steps(click) {
      await click('link', 'Create an account');
      await page.locator('#givenName').fill('Bo');
      await page.locator('#familyName').fill('Ek');
      await page.locator('#email').fill('bo@mail.example');
      await page.locator('#userName').fill('bo.ek');
      await page.locator('#password').fill(goodPassword);
      await click('button', 'Create an account');
      await page.waitForURL(/\/healthz\?code=/);
    },
  });
  await countClicks(t, page, {
    task: 'set up a second factor',
    from: '/account',
    most: 2,
    async steps(click) {
      await click('link', 'Set up');
      const secret = fromBase32((await page.locator('.key code').textContent()) ?? '');
      if (secret === undefined) throw new Error('no key');
      await page.locator('#password').fill(goodPassword);
      await page.locator('#code').fill(totpCode(secret, totpStep(container.clock.now())));
      await click('button', 'Set up');
      await page.locator('.codes').waitFor();
    },
  });
});
