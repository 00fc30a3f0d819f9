import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeHome } from '../../support/app/people.js';
import { makeOwner, signInTo } from '../../support/app/walk-console.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { launchChromium } from '../../support/network/chromium.js';
import { keycloakAdmin, keycloakPassword, startKeycloak } from '../../support/processes/keycloak.js';

/**
 * A browser walks the guide for Keycloak (docs/guides/connect-keycloak.md), in the admin console of a real Keycloak and in the console here. It
 * does so for OpenID Connect and SAML, and for the sign-out of both. It needs Chromium, Java 17 and Maven with its central repository, from which
 * it downloads 147 MB once.
 */

const browser = await launchChromium(t);
const certificate = browser && (await makeCertificate(t));
const keycloak = certificate && (await startKeycloak(t, certificate));
if (browser === undefined || certificate === undefined || keycloak === undefined) process.exit(0);
const { address: keycloakAddress, call: callKeycloak } = keycloak;

const { container, baseUrl } = await buildListeningApp(t, {
  ...{ privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert, loginFailureMilliseconds: 0 },
});
const home = await makeHome(container, { name: 'Acme' });
const connections = `/console/orgs/${home.id}/connections`;
const userName = await makeOwner(container, home, 'en');
await keycloak.addRealm('acme', { userName: 'anna', email: 'anna@acme.example' });

const context = await browser.newContext({
  ignoreHTTPSErrors: true,
  viewport: { width: 1280, height: 1400 },
});
const admin = await context.newPage();
admin.setDefaultTimeout(60_000);
await admin.goto(`${keycloakAddress}/admin/master/console/#/acme/clients`);
await admin.locator('#username').fill(keycloakAdmin.userName);
await admin.locator('#password').fill(keycloakAdmin.password);
await admin.locator('#kc-login').click();
const muster = await signInTo(t, browser, { baseUrl, from: '/console', userName, width: 1280 });

/** **Clients**, **Create client**, and the type of the client. */
async function createClient(type: 'OpenID Connect' | 'SAML', clientId: string): Promise<void> {
  await admin.goto(`${keycloakAddress}/admin/master/console/#/acme/clients`);
  await admin.getByRole('link', { name: 'Create client' }).click();
  await admin.getByTestId('clientId').waitFor();
  if (type !== 'OpenID Connect') {
    await admin
      .locator('#protocol')
      .or(admin.getByRole('button', { name: 'OpenID Connect' }))
      .first()
      .click();
    await admin.getByRole('option', { name: type }).click();
  }
  await admin.getByTestId('clientId').fill(clientId);
  await admin.getByRole('button', { name: 'Next' }).click();
}

/** Sets a switch of the admin console, which hides its box. */
async function setSwitch(name: string, isOn: boolean): Promise<void> {
  const box = admin.getByTestId(name);
  if ((await box.isChecked()) !== isOn) await box.locator('..').click();
}

/** The value beside a name on a page of this service. */
const valueBeside = async (page: Page, name: string) =>
  (await page.locator('dl.facts div', { hasText: name }).locator('code').first().textContent()) ?? '';

/** Adds the connection of the form that is filled in, tries it with the browser, and switches it on. */
async function addAndTry(): Promise<void> {
  await muster.getByRole('button', { name: 'Add a connection' }).click();
  await muster.getByText('The connection was added. Test it').waitFor();
  await muster.getByRole('button', { name: 'Test the provider' }).click();
  await muster.getByText('The provider answers and can be used.').waitFor();
  await muster.getByRole('button', { name: 'Try the sign-in' }).click();
  const tried = muster.url();
  const address =
    (await muster.getByRole('link', { name: 'Sign in at the provider' }).getAttribute('href')) ?? '';
  const visitor = await (await freshContext()).newPage();
  await visitor.goto(address);
  await signInAtKeycloak(visitor);
  await visitor.waitForURL(
    ({ origin, pathname }) => origin === new URL(baseUrl).origin && !/\/(callback|acs)$/.test(pathname),
  );
  await muster.goto(tried);
  await muster.getByText('A new user with these values would be added.').waitFor();
  await muster.locator('nav.crumbs a').last().click();
  await muster.getByRole('button', { name: 'Switch on' }).click();
  await muster.getByRole('link', { name: 'Switch off' }).waitFor();
}

async function freshContext() {
  const fresh = await browser?.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
  if (fresh === undefined) throw new Error('There is no browser');
  t.teardown(() => fresh.close());
  return fresh;
}

async function signInAtKeycloak(page: Page): Promise<void> {
  await page.locator('#username').fill('anna');
  await page.locator('#password').fill(keycloakPassword);
  await page.locator('#kc-login').click();
}

async function enterByButton(page: Page, name: string): Promise<void> {
  await page.goto(`${baseUrl}/login?organization=${home.id}`);
  await page.getByRole('button', { name: `Sign in with ${name}` }).click();
}

/** A person signs in by the button, sees the account page without a password, and comes back as the same person. */
async function signInTwice(name: string): Promise<string> {
  const ids: string[] = [];
  for (let times = 0; times < 2; times++) {
    const page = await (await freshContext()).newPage();
    page.setDefaultTimeout(60_000);
    await enterByButton(page, name);
    await signInAtKeycloak(page);
    await page.waitForURL(/\/account/);
    const text = (await page.textContent('body')) ?? '';
    t.match(text, 'Anna', 'the name of Keycloak is there');
    ids.push(/anna@acme\.example/.exec(text)?.[0] ?? '');
  }
  t.equal(ids[0], ids[1]);
  return ids[0] ?? '';
}

const countUsers = () => container.users.count(home.id);

/** Opens the form of a connection, and has a sign-out go on. @returns what the form says of it */
async function goOnAtSignOut(name: string): Promise<string> {
  await muster.goto(`${baseUrl}${connections}`);
  await muster.getByRole('link', { name, exact: true }).click();
  await muster.getByRole('link', { name: 'Edit' }).first().click();
  const hint = (await muster.locator('#f-endsSession-on-hint').textContent()) ?? '';
  await muster.getByRole('checkbox', { name: 'A sign-out here goes on to the provider' }).check();
  await muster.getByRole('button', { name: 'Save' }).click();
  await muster.getByRole('link', { name: 'Switch off' }).waitFor();
  return hint;
}

/** The settings of a client, such as `settings` or `advanced`. */
async function openClient(clientId: string, tab: string): Promise<void> {
  const query = `clientId=${encodeURIComponent(clientId)}`;
  const [client] = (await callKeycloak(`GET /realms/acme/clients?${query}`)) as [{ id: string }];
  await admin.goto(`${keycloakAddress}/admin/master/console/#/acme/clients/${client.id}/${tab}`);
}

/** The newest session of the person at Keycloak. */
async function newestSession(): Promise<string | undefined> {
  const [anna] = (await callKeycloak('GET /realms/acme/users?username=anna')) as [{ id: string }];
  const found = await callKeycloak(`GET /realms/acme/users/${anna.id}/sessions`);
  const sessions = found as { id: string; start: number }[];
  return sessions.sort((one, other) => other.start - one.start)[0]?.id;
}

/** A person signs out here and at Keycloak, and an administrator of Keycloak ends a session. Each ends the session at the other side. */
async function signOutAtBoth(t: Test, name: string): Promise<void> {
  const page = await (await freshContext()).newPage();
  page.setDefaultTimeout(60_000);
  const enter = async () => {
    await enterByButton(page, name);
    await page.locator('#password').waitFor();
    t.match(page.url(), keycloakAddress, 'Keycloak asks for the password');
    await signInAtKeycloak(page);
    await page.waitForURL(/\/account/);
  };
  const landsOn = async () => new URL((await page.goto(`${baseUrl}/account`))?.url() ?? '').pathname;
  await enter();
  await page.goto(`${baseUrl}/oidc/v1/end_session`);
  await page.locator('button[name=answer][value=yes]').click();
  await page.waitForURL(({ searchParams }) => searchParams.get('ended') === 'done');

  await enter();
  t.match(await landsOn(), '/account');
  await page.goto(`${keycloakAddress}/realms/acme/protocol/openid-connect/logout`);
  await page.locator('#kc-logout').click();
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
  t.match(await landsOn(), '/login', 'a sign-out at Keycloak ended the session here');

  await enter();
  await callKeycloak(`DELETE /realms/acme/sessions/${await newestSession()}`);
  t.match(await landsOn(), '/login', 'an administrator of Keycloak ended the session here');
}

t.test('Keycloak signs people in by OpenID Connect, as the guide says', { timeout: 280_000 }, async (t) => {
  const before = await countUsers();
  await muster.goto(`${baseUrl}${connections}/new`);
  await muster.locator('a[href*="/new?template=keycloak"]').click();
  const callback = await valueBeside(muster, 'Callback address');
  t.match(callback, '/callback');

  await createClient('OpenID Connect', 'muster');
  await setSwitch('authentication', true);
  t.ok(await admin.getByTestId('standard').isChecked(), 'Standard flow is on');
  await admin.getByRole('button', { name: 'Next' }).click();
  await admin.getByTestId('redirectUris0').fill(callback);
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByRole('tab', { name: 'Credentials' }).click();
  await admin.locator('[data-testid=client-secret], #kc-client-secret').first().waitFor();
  const [client] = (await callKeycloak('GET /realms/acme/clients?clientId=muster')) as [{ id: string }];
  const secret = (await callKeycloak(`GET /realms/acme/clients/${client.id}/client-secret`)) as {
    value: string;
  };

  await muster.locator('#f-host').fill(new URL(keycloakAddress).host);
  await muster.locator('#f-realm').fill('acme');
  await muster.locator('#f-clientId').fill('muster');
  await muster.locator('#f-clientSecret').fill(secret.value);
  await muster.locator('#f-creation').selectOption('create');
  await addAndTry();
  t.equal(await countUsers(), before, 'a test adds nobody');
  t.equal(await signInTwice('Keycloak'), 'anna@acme.example');
  t.equal(await countUsers(), before + 1, 'both sign-ins are of one person');
});

/** Saves a form of a client, and waits for the answer of Keycloak. The message on the page may still belong to an earlier form. */
async function saveClient(button: 'settings-save' | 'fineGrainSave'): Promise<void> {
  const saved = admin.waitForResponse(
    (response) => response.request().method() === 'PUT' && /\/clients\/[^/]+$/.test(response.url()),
  );
  await admin.getByTestId(button).click();
  t.equal((await saved).status(), 204);
}

t.test('a sign-out reaches the other side, as the guide says', { timeout: 280_000 }, async (t) => {
  const signedOut = /http\S+\/signed-out/.exec(await goOnAtSignOut('Keycloak'))?.[0] ?? '';
  t.match(signedOut, `${baseUrl}/login/connections/${home.id}/`);
  await openClient('muster', 'settings');
  await admin.getByTestId('attributes.post🍺logout🍺redirect🍺uris0').fill(signedOut);
  await admin.locator('#kc-frontchannelLogout-switch').locator('..').click();
  await admin.getByTestId('backchannelLogoutUrl').fill(signedOut.replace(/signed-out$/, 'logout'));
  await saveClient('settings-save');

  await signOutAtBoth(t, 'Keycloak');
});

t.test('Keycloak signs people in by SAML, as the guide says', { timeout: 280_000 }, async (t) => {
  const before = await countUsers();
  await muster.goto(`${baseUrl}${connections}/new`);
  await muster.locator('a[href*="/new-saml?template=keycloak"]').click();
  const [entityId, acsUrl] = [
    await valueBeside(muster, 'Client ID'),
    await valueBeside(muster, 'Valid redirect URIs'),
  ];
  t.match([entityId, acsUrl], [/\/saml\/metadata$/, /\/saml\/acs$/]);

  await createClient('SAML', entityId);
  await admin.getByTestId('redirectUris0').fill(acsUrl);
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByTestId('attributes.saml🍺assertion🍺signature').waitFor({ state: 'attached' });
  await admin.locator('[id="saml_name_id_format"], [id="attributes.saml_name_id_format"]').first().click();
  await admin.getByRole('option', { name: 'persistent' }).click();
  await setSwitch('attributes.saml🍺assertion🍺signature', true);
  await saveClient('settings-save');
  await admin.getByRole('tab', { name: 'Keys', exact: true }).click();
  await setSwitch('clientSignature', false);
  await admin.getByTestId('confirm').click();
  await admin.getByRole('tab', { name: 'Client scopes', exact: true }).click();
  await admin.getByRole('link', { name: /-dedicated/ }).click();
  await admin.getByRole('button', { name: 'Add predefined mapper' }).click();
  for (const name of ['X500 email', 'X500 givenName', 'X500 surname'])
    await admin.getByRole('row', { name }).getByRole('checkbox').check();
  await admin.getByTestId('confirm').click();
  await admin.getByText('X500 surname').waitFor();
  await admin.goto(`${keycloakAddress}/admin/master/console/#/acme/realm-settings`);
  const described = admin.getByRole('link', { name: 'SAML 2.0 Identity Provider Metadata' });

  await muster.locator('#f-metadataUrl').fill((await described.getAttribute('href')) ?? '');
  await muster.locator('#f-name').fill('Keycloak SAML');
  await muster.locator('#f-creation').selectOption('create');
  await addAndTry();
  t.equal(await signInTwice('Keycloak SAML'), 'anna@acme.example');
  t.equal(await countUsers(), before + 1, 'both sign-ins are of one person');
});

t.test('a sign-out by SAML reaches the other side, as the guide says', { timeout: 280_000 }, async (t) => {
  const sloUrl = /http\S+\/saml\/logout/.exec(await goOnAtSignOut('Keycloak SAML'))?.[0] ?? '';
  t.match(sloUrl, `${baseUrl}/login/connections/${home.id}/`);
  const entityId = sloUrl.replace(/logout$/, 'metadata');
  await openClient(entityId, 'settings');
  await admin.locator('#kc-frontchannelLogout-switch').locator('..').click();
  await saveClient('settings-save');
  await openClient(entityId, 'advanced');
  await admin.getByTestId('attributes.saml_single_logout_service_url_post').fill(sloUrl);
  await saveClient('fineGrainSave');

  await signOutAtBoth(t, 'Keycloak SAML');
});
