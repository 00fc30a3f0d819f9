import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeCaller } from '../support/app/make.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo, walkConsole } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { cutTexts, takenLooks } from '../support/network/looks.js';
import { storeConnection } from '../support/oidc/connected.js';
import { makeSetupLink } from '../support/oidc/set-up.js';
import { addSamlConnection, createHostileSamlProvider } from '../support/saml/hostile-saml-provider.js';

/** The pages of connections, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl, call } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne', domains: ['lindgren.example'] });
const connection = await storeConnection(container, home.id, { authMethod: 'private_key_jwt' });
for (const reason of ['unreachable', 'unknownPerson', 'codeRefused'] as const)
  await container.recordRefusal(connection, {
    reason,
    detail: 'The provider refused the code with status 401',
  });

const api = await makeCaller(container, home.id, ['ORG_OWNER']);
const saml = await addSamlConnection(
  { call },
  { orgId: home.id, owner: api },
  createHostileSamlProvider(() => new Date()),
);

const base = `/console/orgs/${home.id}/connections`;
const pages = {
  connections: base,
  'connections-new': `${base}/new`,
  'connections-new-entra': `${base}/new?template=entra`,
  connection: `${base}/${connection.id}`,
  'connection-change': `${base}/${connection.id}/change`,
  'connections-new-saml': `${base}/new-saml?template=ping`,
  'connection-saml': `${base}/${saml.connectionId}`,
  'connection-saml-change': `${base}/${saml.connectionId}/change`,
  'connection-metadata': `${base}/${saml.connectionId}/metadata`,
  'connection-mapping': `${base}/${connection.id}/mapping`,
  'connection-switch-off': `${base}/${connection.id}/switch-off`,
  'connection-setup-links': `${base}/setup`,
  'connection-remove': `${base}/${connection.id}/remove`,
};

for (const [width, language] of takenLooks([
  [390, 'de'],
  [1280, 'en'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
  });
}

t.test('the callback address has a button, and a refused form has its message at the field', async (t) => {
  const userName = await makeOwner(container, home, 'it');
  const page = await signInTo(t, browser, { baseUrl, from: '/console', userName, width: 1280 });
  await page.goto(`${baseUrl}${base}/new?template=keycloak`);
  t.equal(await page.locator('button.copy').count(), 1);
  for (const [name, value] of Object.entries({ host: 'sso.invalid', realm: 'acme', clientId: 'c' }))
    await page.locator(`#f-${name}`).fill(value);
  await page.locator('#f-clientSecret').fill('top-secret');
  await page.locator('main .card form button[type=submit]').click();
  await page.locator('#f-host[aria-invalid=true]').waitFor();
  t.equal(await page.locator('#f-clientSecret').inputValue(), '');
  t.same(await axeViolations(page), []);
  await takeScreenshot(page, 'connection-refused-1280-light');
});

/** What a test of a sign-in came to, with the long names of Microsoft. */
const refusedTest = {
  outcome: 'refused',
  ...{ reason: 'unknownPerson', subject: '0b1c', isMultiFactor: false },
  claims: [
    {
      name: 'http://schemas.microsoft.com/identity/claims/objectidentifier',
      ...{ value: '8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f', goesTo: ['subject', 'identifier'] },
    },
    {
      name: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
      ...{ value: 'Anna', goesTo: ['givenName'] },
    },
    { name: 'sessionindex', value: '_4711', goesTo: [] },
  ],
  notes: ['certificateEnded', 'groupsElsewhere'],
  credentialEnds: '2026-05-03T10:00:00.000Z',
} as const;

for (const [width, language, colorScheme] of takenLooks([
  [390, 'de', 'dark'],
  [1280, 'en', 'light'],
] as const)) {
  t.test(`the pages of a set-up link, ${width} pixels wide, ${language}`, async (t) => {
    const steps = ['domain', 'connection', 'provisioning', 'test', 'switchOn'];
    const link = await makeSetupLink({ call }, { orgId: home.id, owner: api }, steps);
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      locale: language,
      colorScheme,
    });
    t.teardown(() => context.close());
    const page = await context.newPage();
    const look = async (name: string) => {
      t.same(await axeViolations(page), [], `${name} keeps nobody out`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name} is not wider than the window`);
      t.same(await cutTexts(page), [], `${name} cuts no text`);
      await takeScreenshot(page, `setup-${name}-${width}-${colorScheme}`);
    };
    await page.goto(`${baseUrl}${link.path}`);
    await look('open');
    await page.locator('button[type=submit]').click();
    await page.locator('input[name=domain]').fill('a.long.name.of.a.department.lindgren.example');
    await page.locator('form[action$="/setup/domain"] button').click();
    await page.locator('form[action$="/setup/domain/check"]').waitFor();
    await look('domain');
    await page.goto(`${baseUrl}/setup?saml=entra`);
    await look('saml');
    await page.locator('form[action$="/setup/saml"] button').click();
    await page.locator('[role=alert]').waitFor();
    await look('refused');
    await page.locator('#metadata').fill(createHostileSamlProvider(() => new Date()).metadata());
    await page.locator('form[action$="/setup/saml"] button').click();
    await page.locator('form[action$="/setup/test"] button').waitFor();
    const { connectionId = '' } = (await container.setupLinks.find(home.id, link.id)) ?? {};
    const tried = {
      ...{ orgId: home.id, connectionId, created: new Date() },
      editor: { userId: link.id, service: 'setup' },
    };
    const id = await container.signInTests.begin(tried, () => '/setup');
    await container.signInTests.finish(id, { ...tried, returnTo: '/setup', result: refusedTest });
    await page.goto(`${baseUrl}/setup?test=${id}`);
    await look('tried');
  });
}
