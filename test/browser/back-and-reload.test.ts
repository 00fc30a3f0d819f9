import type { Page } from 'playwright-core';
import t from 'tap';
import { addApplication } from '#src/clients/applications/add-application.js';
import { freePort } from '../../dev/free-port.js';
import { makeOrganization, testEditor } from '../support/app/make.js';
import { goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { looks, openWindow, submitForm, takenLooks } from '../support/network/looks.js';
import { startWebServer } from '../support/network/web-server.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app, clock } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

/** The application: its callback leads to its first page, as most do. */
const client = await startWebServer(t, (request, response) => {
  if (request.url?.startsWith('/callback')) response.writeHead(302, { location: '/home' }).end();
  else response.setHeader('content-type', 'text/html').end('<title>home</title><h1>home</h1>');
});
const organization = await makeOrganization(container);
const { application } = await addApplication(container, {
  orgId: organization.id,
  settings: {
    name: 'Timesheets',
    type: 'native',
    authMethod: 'none',
    redirectUris: [`${client.url}/callback`],
  },
  editor: testEditor,
});
const authorizeUrl = `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
  client_id: application.id,
  redirect_uri: `${client.url}/callback`,
  response_type: 'code',
  scope: 'openid',
  state: 'a state',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`;
const atHome = (page: Page) => page.waitForURL(`${client.url}/home`);

for (const look of takenLooks(looks)) {
  t.test(`${look.width} pixels wide, ${look.colorScheme}`, async (t) => {
    const { userName } = await makePerson(container, organization);
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    const signIn = (password: string) => submitForm(page, '/login', { loginName: userName, password });
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url());
    });

    await page.goto(authorizeUrl);
    const address = page.url();
    await signIn('Wrong-Horse-1');
    await page.getByRole('alert').waitFor();
    await see('refused');
    t.equal(posts.length, 1);
    await page.reload();
    t.equal(await page.getByRole('alert').count(), 1, 'the page still says what is wrong');
    t.equal(await page.locator('#loginName').inputValue(), userName);
    t.equal(posts.length, 1, 'a reload posts nothing');

    await signIn(goodPassword);
    await atHome(page);
    const callbacks = () => client.requests.filter((line) => line.includes('/callback')).length;
    const before = callbacks();
    await page.goBack();
    await atHome(page);
    t.equal(callbacks(), before + 1, 'Back leads to the application again, with a new code');
    t.match(
      client.requests.findLast((line) => line.includes('/callback')),
      /code=.*state=a\+state/,
    );
    await page.goto(address);
    await atHome(page);
    t.pass('so does the address of the login page');
    await page.goto(`${baseUrl}/login?again=1`);
    await see('begins-again');
    t.equal(await page.getByRole('status').count(), 1, 'a sign-in that begins again says why');
  });
}

t.test('a page that is too old, and a second tab', async (t) => {
  const { userName } = await makePerson(container, organization);
  const { page } = await openWindow(t, browser, {
    width: 390,
    colorScheme: 'light',
    javaScriptEnabled: true,
  });
  await page.goto(authorizeUrl);
  const second = await page.context().newPage();
  await second.goto(authorizeUrl);
  clock.advance(31 * 60);
  await submitForm(page, '/login', { loginName: userName, password: goodPassword });
  await atHome(page);
  await second.reload();
  await atHome(second);
  t.pass('the first signs in, and the second goes on');
});
