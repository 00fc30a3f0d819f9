import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import t from 'tap';
import { secretMark } from '#src/console/connect/fill-in.js';
import { freePort } from '../../dev/free-port.js';
import { until } from '../../dev/until.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo } from '../support/app/walk-console.js';
import { connectApplication, signInAtApplication } from '../support/docs/connect-application.js';
import { makeFolder, startCommand } from '../support/docs/follow-guide.js';
import { followShown, readShownProgram, shownFile, startingCommand } from '../support/docs/shown-program.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium } from '../support/network/chromium.js';

/** A developer connects an application with what the console shows, and copies it. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t);
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const { id } = await makeApplication(container, home.id, { name: 'Tickets' });
const list = `/console/orgs/${home.id}/applications`;

t.test('programs in JavaScript sign people in, as the page shows them', { timeout: 180_000 }, async (t) => {
  const userName = await makeOwner(container, home, 'en');
  const page = await signInTo(t, browser, { baseUrl, userName, from: '/console', width: 1280 });
  const visitor = await page.context().newPage();
  let last = '';
  for (const [query, path] of [
    ['type=web&with=express', '/callback'],
    ['type=web&with=fastify', '/signed-in/here'],
    ['type=spa&with=javascript', '/'],
  ] as const) {
    const port = await freePort();
    last = `http://localhost:${port}/`;
    const redirectUri = `http://localhost:${port}${path}`;
    const form = `${baseUrl}${list}/new?${query}`;
    const steps = await connectApplication(t, page, { form, name: `It's <b>${query}</b>`, redirectUri });
    const folder = await makeFolder(t);
    await followShown(folder, steps);
    await startCommand(t, { command: startingCommand(steps), folder, port });
    await signInAtApplication(visitor, last);
    t.equal(visitor.url(), last, query);
  }
  await visitor.getByRole('button', { name: 'Sign out' }).click();
  await visitor.getByText('Nobody is signed in').waitFor();
  t.equal(visitor.url(), last, 'the address after sign-out is allowed too');
});

t.test('an application that lacks the address of a program gets it by one button', async (t) => {
  const userName = await makeOwner(container, home, 'en');
  const page = await signInTo(t, browser, { baseUrl, userName, from: '/console', width: 1280 });
  const strange = ["https://app.example/it's?a=$(id)", 'http://localhost/callback', 'https://app.example/'];
  const { id: appId } = await makeApplication(container, home.id, { redirectUris: strange });
  await page.goto(`${baseUrl}${list}/${appId}/connect?with=express`);
  const before = shownFile(await readShownProgram(page), '.env');
  t.match(
    before,
    'REDIRECT_URI=http://localhost:3000/callback\n',
    'no address that a shell would read otherwise',
  );
  await page.getByRole('button', { name: 'Allow them' }).click();
  await page.getByText('The application allows this redirect URI').waitFor();
  const { redirectUris, postLogoutRedirectUris } = (await container.applications.find(home.id, appId)) ?? {};
  t.same(redirectUris, [...strange, 'http://localhost:3000/callback']);
  t.ok(postLogoutRedirectUris?.includes('http://localhost:3000/'));
});

t.test('a program on a computer, an API and a program without a person', { timeout: 180_000 }, async (t) => {
  const userName = await makeOwner(container, home, 'en');
  const page = await signInTo(t, browser, { baseUrl, userName, from: '/console', width: 1280 });

  const native = await connectApplication(t, page, {
    form: `${baseUrl}${list}/new?type=native&with=nodejs`,
    name: 'Reports',
    redirectUri: 'http://127.0.0.1/callback',
  });
  const reports = await makeFolder(t);
  await followShown(reports, native);
  const program = spawn('bash', ['-c', startingCommand(native)], { cwd: reports });
  program.stderr.pipe(process.stderr);
  let printed = '';
  program.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = once(program, 'close');
  await until(() => /http\S+\n/.test(printed), { within: 60_000 });
  const visitor = await page.context().newPage();
  await visitor.goto(/http\S+/.exec(printed)?.[0] ?? '');
  await visitor.getByText('You can close this window').waitFor();
  await ended;
  t.match(printed, /Hello, .+ \(.+@.+\)\./);

  await page.goto(`${baseUrl}${list}/new/program`);
  await page.getByLabel('Name', { exact: true }).fill('Nightly');
  await page.getByRole('button', { name: 'Add a program' }).click();
  await page.getByText('The program was added').waitFor();
  const nightly = await readShownProgram(page);
  const folder = await makeFolder(t);
  await followShown(folder, nightly);
  const { stdout } = await promisify(execFile)('bash', ['-c', startingCommand(nightly)], { cwd: folder });
  t.match(stdout, /^200 .*"name":"Nightly"/);

  await page.goto(`${baseUrl}${list}/new/api`);
  await page.getByLabel('Name', { exact: true }).fill('Orders');
  await page.getByLabel('program', { exact: false }).last().fill('Billing');
  await page.getByRole('button', { name: 'Add an API' }).click();
  const [secret = '', callerSecret = ''] = await page.locator('.secret').allTextContents();
  const text = String(await page.textContent('main'));
  const [, callerId = ''] = /-u ([\w-]+):"\$PROGRAM_SECRET"/.exec(text) ?? [];
  const [scope = ''] = /urn:service:iam:org:project:id:[\w-]+:aud/.exec(text) ?? [];
  const [, apiId = ''] = /introspect \\\s+-u ([\w-]+):/.exec(text) ?? [];
  await page.goto(`${baseUrl}${list}/${apiId}/connect?with=nodejs`);
  const port = await freePort();
  const api = (await readShownProgram(page)).map((step) =>
    'file' in step
      ? { ...step, text: step.text.replace(secretMark, secret).replace('4000', String(port)) }
      : step,
  );
  const orders = await makeFolder(t);
  await followShown(orders, api);
  await startCommand(t, { command: startingCommand(api), folder: orders, port });
  const token = await fetch(`${baseUrl}/oauth/v2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${callerId}:${callerSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const call = (authorization: string) =>
    fetch(`http://localhost:${port}/orders`, { headers: { authorization } });
  t.match(await (await call(`Bearer ${bearer}`)).json(), { caller: callerId });
  t.equal((await call('Bearer nothing')).status, 401);
});

t.test('exact values are copied with the keyboard, and screen readers are told', async (t) => {
  const userName = await makeOwner(container, home, 'de');
  const page = await signInTo(t, browser, { baseUrl, userName, from: `${list}/${id}/connect`, width: 1280 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const pasted = () => page.evaluate<string>('navigator.clipboard.readText()');
  const [settings] = await readShownProgram(page);
  const button = page.locator('pre[data-file=".env"]').locator('xpath=preceding-sibling::button');
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Kopiert' }).waitFor();
  t.equal(await pasted(), settings && 'text' in settings && settings.text, 'as it is, with every line');

  await page.goto(`${baseUrl}${list}/${id}`);
  await page.getByRole('button', { name: /^Kopieren Client/ }).press('Space');
  await page.getByRole('status').filter({ hasText: 'Kopiert' }).waitFor();
  t.equal(await pasted(), id);
  const without = await page.evaluate<string[]>(`[...document.querySelectorAll('pre, .secret, .facts code')]
    .filter((one) => !one.hasAttribute('data-copy')).map((one) => one.textContent)`);
  t.same(without, [], 'every exact value of the page has a button');
  t.same(await axeViolations(page), []);

  // A browser has no clipboard for http, except to its own machine.
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.goto(`${baseUrl}${list}/${id}`);
  await page.getByRole('button', { name: /^Kopieren Aussteller/ }).click();
  await page.getByRole('status').filter({ hasText: 'Kopiert' }).waitFor();
  t.equal(await page.evaluate<string>('getSelection().toString()'), baseUrl);

  const cookies = await page.context().cookies();
  const plainContext = await browser.newContext({ javaScriptEnabled: false });
  t.teardown(() => plainContext.close());
  await plainContext.addCookies(cookies);
  const plain = await plainContext.newPage();
  await plain.goto(`${baseUrl}${list}/${id}`);
  t.equal(await plain.locator('button.copy').count(), 0, 'without JavaScript there is no button');
  t.ok(await plain.getByText(id, { exact: true }).first().isVisible());
});

t.test('code of guides and of the reference is copied too', async (t) => {
  const context = await browser.newContext({ locale: 'en' });
  t.teardown(() => context.close());
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${baseUrl}/docs/guides/express`);
  await page.locator('button.copy').first().press('Enter');
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  t.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^APP=\$\(admin /);
  await page.goto(`${baseUrl}/docs/api/applications`);
  t.ok((await page.locator('pre').count()) > 0);
  t.equal(await page.locator('button.copy').count(), await page.locator('pre').count());
  t.same(complaints, []);
});
