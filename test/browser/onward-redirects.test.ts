import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import t from 'tap';
import type { ResponseMode } from '#src/authorization/authorization-request.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { endable } from '../../dev/end-server.js';
import { freePort } from '../../dev/free-port.js';
import { makeOrganization, testEditor } from '../support/app/make.js';
import { goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { makeCertificate } from '../support/network/certificate.js';
import { launchChromium } from '../support/network/chromium.js';
import { submitForm } from '../support/network/looks.js';
import { startWebServer } from '../support/network/web-server.js';

/**
 * Chromium applies `form-action` to every redirect after a form. Here an application gets the answer at an https address and
 * redirects on, to an app by its own scheme or to http.
 */

const browser = await launchChromium(t);
const certificate = browser && (await makeCertificate(t));
if (browser === undefined || certificate === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

const plain = await startWebServer(t, (_request, response) =>
  response.setHeader('content-type', 'text/html').end('<h1>arrived</h1>'),
);
const onward = ['vscode://vendor.extension/done', 'com.example.app:/done', `${plain.url}/done`] as const;

/** The application redirects from `/0/…` to the first of the addresses, and so on. */
const answer = (request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  const address = onward[Number(/^\/(\d)\//.exec(request.url ?? '')?.[1] ?? Number.NaN)];
  if (address === undefined) response.writeHead(404).end();
  else response.writeHead(302, { location: address }).end();
};
const client = createServer(
  { cert: await readFile(certificate.certFile), key: await readFile(certificate.keyFile) },
  answer,
);
t.teardown(endable(client));
client.listen(0, '127.0.0.1');
await once(client, 'listening');
const clientUrl = `https://127.0.0.1:${(client.address() as AddressInfo).port}`;

const organization = await makeOrganization(container);
const { application } = await addApplication(container, {
  orgId: organization.id,
  settings: {
    name: 'Editor',
    type: 'web',
    authMethod: 'none',
    redirectUris: onward.map((_, index) => `${clientUrl}/${index}/callback`),
    postLogoutRedirectUris: onward.map((_, index) => `${clientUrl}/${index}/bye`),
  },
  editor: testEditor,
});
const { userName } = await makePerson(container, organization);

const requestFor = (index: number, more: Record<string, string> = {}) => ({
  client_id: application.id,
  redirect_uri: `${clientUrl}/${index}/callback`,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  ...more,
});
const authorizeUrl = (request: Record<string, string>) =>
  `${baseUrl}/oauth/v2/authorize?${new URLSearchParams(request)}`;

/** A browser, and the addresses that it asks for until it leaves the web. */
async function openBrowser(t: { teardown(end: () => unknown): void }) {
  const context = await (browser as NonNullable<typeof browser>).newContext({ ignoreHTTPSErrors: true });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const asked: string[] = [];
  const refused: string[] = [];
  await devTools.send('Network.enable');
  devTools.on('Network.requestWillBeSent', ({ request }) => asked.push(request.url));
  devTools.on('Network.loadingFailed', ({ blockedReason, errorText }) => {
    if (blockedReason !== undefined) refused.push(`${blockedReason} ${errorText}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy|form-action/.test(message.text())) refused.push(message.text());
  });
  return { page, asked, refused };
}

/** Waits until the browser asks for the address. @returns whether it does */
async function asksFor(page: Page, asked: readonly string[], address: string): Promise<boolean> {
  if (address.startsWith('http:')) await page.waitForURL(address, { timeout: 10_000 }).catch(() => undefined);
  for (let i = 0; i < 100; i++) {
    if (asked.some((url) => url.startsWith(address))) return true;
    await page.waitForTimeout(50);
  }
  return false;
}

for (const [index, address] of onward.entries()) {
  for (const mode of ['query', 'form_post'] as const satisfies readonly ResponseMode[]) {
    t.test(`${mode}, then ${address.split(':')[0]}`, async (t) => {
      const { page, asked, refused } = await openBrowser(t);
      await page.goto(authorizeUrl(requestFor(index, { response_mode: mode })));
      await submitForm(page, '/login', { loginName: userName, password: goodPassword });
      t.ok(await asksFor(page, asked, address), 'after the password');
      t.same(refused, []);
      asked.length = 0;

      await page.goto(authorizeUrl(requestFor(index, { response_mode: mode, prompt: 'select_account' })));
      await page.locator('button.account').first().click();
      t.ok(await asksFor(page, asked, address), 'after the choice of an account');
      asked.length = 0;

      await page.goto(authorizeUrl(requestFor(index, { response_mode: mode, prompt: 'consent' })));
      await page.locator('button[value=allow]').click();
      t.ok(await asksFor(page, asked, address), 'after the consent');
      asked.length = 0;

      // A request that is too long for an address is posted, and a page of ours posts it once more.
      const long = requestFor(index, { response_mode: mode, state: 's'.repeat(8_000) });
      await page.goto(plain.url);
      const form = `Object.assign(document.createElement('form'), { method: 'post', action: '${baseUrl}/oauth/v2/authorize' })`;
      const field = `Object.assign(document.createElement('input'), { name, value })`;
      await page.evaluate(
        `const form = ${form}; for (const [name, value] of Object.entries(${JSON.stringify(long)})) form.append(${field}); document.body.append(form)`,
      );
      await page.evaluate('document.forms[0].submit()');
      t.ok(await asksFor(page, asked, address), 'after a request that was posted');
      t.same(refused, []);
      asked.length = 0;

      const bye = { client_id: application.id, post_logout_redirect_uri: `${clientUrl}/${index}/bye` };
      await page.goto(`${baseUrl}/oidc/v1/end_session?${new URLSearchParams(bye)}`);
      await page.locator('button[value=yes]').click();
      t.ok(await asksFor(page, asked, address), 'after "Sign out?"');
      t.same(refused, []);
    });
  }
}
