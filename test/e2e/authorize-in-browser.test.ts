import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import { freePort } from '../../dev/free-port.js';
import { makeOrganization } from '../support/app/make.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { makeApplication, makePerson } from '../support/oidc/browser.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

/** A client on another site than the provider: `127.0.0.1` and `localhost` share no cookies. */
const received: { method: string | undefined; body: URLSearchParams; origin: string | undefined }[] = [];
let startPage = '';
const client = createServer(async (request, response) => {
  response.setHeader('content-type', 'text/html');
  // A client whose callback is on one host and whose pages are on another.
  if (request.url?.startsWith('/hop'))
    return response.writeHead(302, { location: `${pagesBase}/home` }).end();
  if (request.url !== '/callback') return response.end(startPage);
  received.push({
    method: request.method,
    body: new URLSearchParams(await textOf(request)),
    origin: request.headers.origin,
  });
  response.end('<title>Back</title>');
});
const pages = createServer((_request, response) => response.end('<title>Home</title>'));
await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
t.teardown(() => pages.close());
const pagesBase = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
t.teardown(() => client.close());
const clientBase = `http://127.0.0.1:${(client.address() as AddressInfo).port}`;

const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const { app, container } = await buildTestApp(t, { baseUrl });
await app.listen({ host: 'localhost', port });

const organization = await makeOrganization(container);
const ada = await makePerson(container, organization);
const { application } = await makeApplication(container, organization.id, {
  type: 'native',
  redirectUris: ['http://127.0.0.1/callback', 'http://127.0.0.1/hop'],
});
const parameters = {
  client_id: application.id,
  redirect_uri: `${clientBase}/callback`,
  response_type: 'code',
  response_mode: 'form_post',
  scope: 'openid',
  state: `"'<&>é`,
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
};
const fields = Object.entries(parameters).map(
  ([name, value]) =>
    `<input name="${name}" value="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`,
);
startPage = `<meta charset="utf-8"><title>Start</title><form method="post" action="${baseUrl}/oauth/v2/authorize">${fields.join('')}<button>Go</button></form>`;

/** A browser with a session. */
const signedIn = async (javaScriptEnabled: boolean) => {
  const context = await browser.newContext({ javaScriptEnabled });
  const secret = newSecret();
  await context.addCookies([
    { name: 'muster-agent', value: secret, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Lax' },
  ]);
  const { id: userId, orgId, userName, displayName } = ada;
  await container.sessions.signIn(hashSecret(secret), {
    userId,
    orgId,
    userName,
    displayName,
    proofs: [{ kind: 'password' }],
  });
  return context.newPage();
};

for (const javaScript of [true, false]) {
  t.test(
    `a client's POST finds the session, and form_post ${javaScript ? 'submits itself' : 'has a button'}`,
    async (t) => {
      const page = await signedIn(javaScript);
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      await page.goto(clientBase);
      await page.getByRole('button').click();
      if (!javaScript) {
        await page.waitForURL(`${baseUrl}/**`);
        await page.getByRole('button', { name: 'Continue' }).click();
      }
      await page.waitForURL(`${clientBase}/callback`);
      const answer = received.at(-1);
      t.equal(answer?.method, 'POST');
      t.equal(answer?.body.get('state'), parameters.state);
      t.equal(answer?.body.get('iss'), baseUrl);
      const redeemed = await container.codes.redeem(String(answer?.body.get('code')));
      t.match(redeemed, { grant: { userId: ada.id } });
      t.same(
        problems.filter((text) => text.includes('Content Security Policy')),
        [],
        'the page breaks no policy',
      );
    },
  );
}

for (const response_mode of ['query', 'form_post']) {
  t.test(
    `a client may send the browser on to another host after signing in (${response_mode})`,
    async (t) => {
      const page = await (await browser.newContext()).newPage();
      const asked = { ...parameters, response_mode, redirect_uri: `${clientBase}/hop` };
      await page.goto(`${baseUrl}/oauth/v2/authorize?${new URLSearchParams(asked)}`);
      await page.fill('input[name=loginName]', ada.userName);
      await page.fill('input[name=password]', 'Sup3r-Secret-Horse');
      await page.click('button[type=submit]');
      await page.waitForURL(`${pagesBase}/home`, { timeout: 10_000 });
      t.equal(await page.title(), 'Home');
    },
  );
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
