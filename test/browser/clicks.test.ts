import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import type { Organization } from '#src/directory/organization.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { until } from '../../dev/until.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { makeOwner, signInTo } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';

/** Counts the clicks of everyday tasks. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, {
  workers: true,
  loginFailureMilliseconds: 0,
  loginMaxFailures: 3,
});

/** The most clicks of each task. The last test fails if a task was not counted. */
const mostClicks = {
  'add a user with a link': 3,
  'find one of 20,000 people': 1,
  'see why a person cannot sign in, and unlock': 4,
  'connect Entra': 3,
  'register a single-page application, and test it': 7,
  'rehearse the import of a table': 4,
  'import the table that was rehearsed': 1,
  'export the people of an organization': 4,
  'register as a person': 2,
  'set up a second factor': 2,
  'call an own API': 6,
  'invite an administrator who comes in': 4,
} as const;

type Task = keyof typeof mostClicks;

const counted = new Set<Task>();

/**
 * Counts the clicks of a task, and fails if the task needs more.
 * @param from the page at which the task begins. Without it, the page that is open
 */
async function countClicks(
  t: Test,
  page: Page,
  task: Task,
  { from, steps }: { from?: string; steps: (click: Click) => Promise<void> },
): Promise<void> {
  if (from !== undefined) await page.goto(`${baseUrl}${from}`);
  let clicks = 0;
  await steps((role, name, on = page) => {
    clicks++;
    const exact = typeof name === 'string';
    const found = role === 'label' ? on.getByText(name, { exact }) : on.getByRole(role, { name, exact });
    return found.first().click();
  });
  counted.add(task);
  t.ok(clicks > 0 && clicks <= mostClicks[task], `${task}: ${clicks} of ${mostClicks[task]} clicks`);
}

type Click = (role: 'link' | 'button' | 'label', name: string | RegExp, on?: Page) => Promise<void>;

/** Adds people to an organization, without passwords. */
async function addPeople(home: Organization, count: number): Promise<void> {
  const first = await makePerson(container, home, { password: null });
  const people = Array.from({ length: count }, (_, n) => ({
    user: { ...first, id: newId(), userName: `person.${n}`, displayName: `Person ${n}`, emails: [] },
  }));
  for (let from = 0; from < count; from += 1_000) {
    const some = people.slice(from, from + 1_000);
    await container.mongo.transaction((transaction) => container.users.insert(home.id, some, transaction));
  }
}

t.test('daily tasks of an owner take few clicks', { timeout: 240_000 }, async (t) => {
  const large = await makeHome(container, { name: 'Large' });
  await addPeople(large, 20_000);
  const owner = await makePerson(container, large);
  const role = { userId: owner.id, role: 'ORG_OWNER', orgId: large.id, editor: testEditor } as const;
  await addMembership(container, role);
  const locked = await makePerson(container, large, {
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
  await countClicks(t, page, 'add a user with a link', {
    from: '/console',
    async steps(click) {
      await click('link', 'Users');
      await click('link', 'Add a user');
      await page.locator('#f-userName').fill('new.person');
      await click('button', 'Add a user');
      await page.locator('.secret').waitFor();
    },
  });
  await countClicks(t, page, 'find one of 20,000 people', {
    from: '/console',
    async steps(click) {
      await click('link', 'Users');
      await page.locator('#f-search').pressSequentially('Lena');
      await until(async () => (await page.locator('tbody tr').count()) === 1);
    },
  });
  await countClicks(t, page, 'see why a person cannot sign in, and unlock', {
    from: '/console',
    async steps(click) {
      await click('link', 'Users');
      await click('link', /Lena Locked/);
      await click('link', 'Sign-in');
      await click('button', 'Unlock');
      await page.getByText('The user is unlocked.').waitFor();
    },
  });
  await countClicks(t, page, 'connect Entra', {
    from: '/console',
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
  await countClicks(t, page, 'invite an administrator who comes in', {
    from: '/console',
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
  await countClicks(t, page, 'register as a person', {
    from: `/oauth/v2/authorize?${new URLSearchParams({
      ...{ client_id: application.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      ...{ code_challenge_method: 'S256', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    })}`,
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
  await countClicks(t, page, 'set up a second factor', {
    from: '/account',
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

t.test('a single-page application is registered and tested', { timeout: 120_000 }, async (t) => {
  const home = await makeHome(container, { name: 'Lindgren & Söhne' });
  const userName = await makeOwner(container, home, 'en');
  const from = `/console/orgs/${home.id}/users`;
  const page = await signInTo(t, browser, { baseUrl, userName, from, width: 390 });
  await countClicks(t, page, 'register a single-page application, and test it', {
    from,
    async steps(click) {
      // On a narrow screen the menu is closed.
      await click('label', 'Menu');
      await click('link', 'Applications');
      await click('link', 'Add an application');
      await click('link', 'JavaScript');
      await page.getByLabel('Name', { exact: true }).fill('Board');
      await click('button', 'Add an application');
      await click('link', 'Test sign-in');
      await click('button', 'Allow the address, and begin');
      await page.getByText('The sign-in works').waitFor();
    },
  });
  t.match(await page.textContent('main'), 'preferred_username');
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    t.same(await axeViolations(page), [], `${width} pixels wide`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(overflow <= 0, 'the claims fit into the window');
    await takeScreenshot(page, `test-result-${width}-${colorScheme}`);
  }
});

t.test(
  'a table is rehearsed and imported, and an organization is exported',
  { timeout: 120_000 },
  async (t) => {
    const home = await makeHome(container, { name: 'Grün' });
    const userName = await makeOwner(container, home, 'en');
    const from = '/console';
    const page = await signInTo(t, browser, { baseUrl, userName, from, width: 1280 });
    const table = 'First name,Last name,E-mail\nAda,Berg,ada@grun.example\nBo,Ek,bo@grun.example\n';
    await countClicks(t, page, 'rehearse the import of a table', {
      from,
      async steps(click) {
        await click('link', 'Users');
        await click('link', 'Add many');
        const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
        await page.locator('input[type=file]').setInputFiles(file);
        await click('button', 'Show the people');
        await click('button', 'Dry run');
        await page.getByRole('button', { name: 'Import now', exact: true }).waitFor();
      },
    });
    t.equal(await container.users.count(home.id), 1, 'a dry run changes nothing');
    await countClicks(t, page, 'import the table that was rehearsed', {
      async steps(click) {
        await click('button', 'Import now');
        await until(async () => (await container.users.count(home.id)) === 3);
      },
    });
    await countClicks(t, page, 'export the people of an organization', {
      from,
      async steps(click) {
        await click('link', 'Users');
        await click('link', 'Export');
        await click('button', 'Export');
        const download = page.waitForEvent('download');
        await click('link', 'Download');
        t.match((await download).suggestedFilename(), /\.json$/);
      },
    });
  },
);

/** Nobody listens there. The browser says where it was led. */
const callback = 'http://127.0.0.1:9/callback';

/** Signs the person in at the application, as the application would, and returns the access token. */
async function tokenFor(page: Page, clientId: string): Promise<string> {
  const verifier = newSecret();
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const led = page.waitForRequest((request) => request.url().startsWith(callback));
  // The address of the application does not answer.
  const going = page.goto(`${baseUrl}/oauth/v2/authorize?${query}`).catch(() => undefined);
  const code = new URL((await led).url()).searchParams.get('code') ?? '';
  await going;
  const answer = await fetch(`${baseUrl}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

t.test('an own API is called', { timeout: 120_000 }, async (t) => {
  const home = await makeHome(container, { name: 'First' });
  const userName = await makeOwner(container, home, 'en');
  const page = await signInTo(t, browser, { baseUrl, userName, from: '/console', width: 1280 });
  await countClicks(t, page, 'call an own API', {
    from: '/console',
    async steps(click) {
      await click('link', 'Applications');
      await click('link', 'Add an application');
      await click('link', 'Choose: Single-page application');
      await page.getByLabel('Name', { exact: true }).fill('Board');
      await page.getByLabel('Redirect URIs').fill(callback);
      await click('button', 'Add an application');
      await click('link', 'Call an API');
      await page.getByLabel('Name', { exact: true }).fill('Orders');
      t.ok(await page.getByLabel('Board', { exact: false }).isChecked(), 'the application is chosen');
      await click('button', 'Add an API');
      await page.locator('.secret').first().waitFor();
    },
  });
  const secret = String(await page.locator('.secret').first().textContent());
  const commands = String(await page.locator('main').textContent());
  const [, apiId = ''] = /introspect \\\s+-u ([\w-]+):/.exec(commands) ?? [];

  const applications = await container.applications.page(home.id, { limit: 10 });
  const board = applications.find(({ name }) => name === 'Board')?.id ?? '';
  const context = await browser.newContext({ locale: 'en' });
  t.teardown(() => context.close());
  const visitor = await context.newPage();
  await visitor.goto(`${baseUrl}/login`);
  await visitor.locator('#loginName').fill(userName);
  await visitor.locator('#password').fill(goodPassword);
  await visitor.locator('form[action$="/login"] button[type=submit]').click();
  await visitor.waitForURL((url) => !url.pathname.endsWith('/login'));
  const token = await tokenFor(visitor, board);
  const answer = await fetch(`${baseUrl}/oauth/v2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${apiId}:${secret}`)}` },
    body: new URLSearchParams({ token }),
  });
  t.match(await answer.json(), { active: true, client_id: board });
});

t.test('every task of the list was counted', async (t) => {
  t.same([...counted].sort(), Object.keys(mostClicks).sort());
});
