import type { Page } from 'playwright-core';
import t from 'tap';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeTenant } from '../../support/app/make.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { launchChromium } from '../../support/network/chromium.js';
import { isSignedIn, leaveFor, newVisitor } from '../../support/oidc/connected.js';
import { simpleSamlPassword, startSimpleSamlPhp } from '../../support/processes/simplesamlphp.js';
import { bringBack } from '../../support/saml/hostile-saml-provider.js';

/**
 * SimpleSAMLphp as the provider of connections by SAML, with a browser on the pages of both. It reads our metadata, verifies our requests, signs and
 * encrypts, and ends sessions by single logout. It needs Chromium, and the packages `php-cli`, `php-xml`, `php-mbstring` and
 * `simplesamlphp` of Debian.
 */

const browser = await launchChromium(t);
const certificate = browser && (await makeCertificate(t));
const provider = certificate && (await startSimpleSamlPhp(t, certificate));
if (browser === undefined || certificate === undefined || provider === undefined) process.exit(0);

const service = await buildListeningApp(t, {
  ...{ privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert, loginFailureMilliseconds: 0 },
});
const { container, call, app, clock, baseUrl } = service;

const claims = {
  givenName: 'urn:oid:2.5.4.42',
  familyName: 'urn:oid:2.5.4.4',
  email: 'urn:oid:0.9.2342.19200300.100.1.3',
};

/** Gives an organization a connection to the provider, and each side the metadata of the other. */
async function connect(creation: 'create' | 'refuse') {
  const { orgId, owner } = await makeTenant(container);
  const path = `/admin/v1/orgs/${orgId}/connections`;
  const body = {
    ...{ name: 'PHP', protocol: 'saml', creation, claims },
    provider: { metadataUrl: provider?.metadataUrl, endsSession: true },
  };
  const added = await call(`POST ${path}`, { as: owner, body });
  if (added.status !== 201) throw new Error(JSON.stringify(added.body));
  const { id: connectionId, service: ours } = added.body;
  const described = await app.inject(new URL(ours.entityId).pathname);
  await provider?.learn(connectionId, described.payload);
  const here = `${path}/${connectionId}`;
  return {
    ...{ orgId, connectionId, provider: added.body.provider },
    acsPath: new URL(ours.acsUrl).pathname as string,
    change: (own: object) => call(`PATCH ${here}`, { as: owner, body: { protocol: 'saml', provider: own } }),
    async lastRefusal(): Promise<string> {
      const [refusal] = (await call(`GET ${here}/health`, { as: owner })).body.refusals;
      return `${refusal?.reason}: ${refusal?.detail}`;
    },
  };
}

type Connection = Awaited<ReturnType<typeof connect>>;
const acme = await connect('create');
const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

async function newPage(): Promise<Page> {
  const context = await browser?.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
  if (context === undefined) throw new Error('There is no browser');
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

async function pressButton(page: Page, { orgId }: Connection): Promise<void> {
  await page.goto(`${baseUrl}/login?organization=${orgId}`);
  await page.getByRole('button', { name: 'Sign in with PHP' }).click();
}

/** The fields with which a browser comes from the provider. They are changed, if a test says so. */
async function meetAnswer(page: Page, { acsPath }: Connection, change?: (xml: string) => string) {
  const brought: Record<string, string>[] = [];
  await page.route(`**${acsPath}`, (route) => {
    const fields = new URLSearchParams(route.request().postData() ?? '');
    const xml = Buffer.from(fields.get('SAMLResponse') ?? '', 'base64').toString();
    brought.push(Object.fromEntries(fields));
    if (change) fields.set('SAMLResponse', Buffer.from(change(xml)).toString('base64'));
    return route.continue(change && !fields.has('again') ? { postData: fields.toString() } : {});
  });
  return brought;
}

async function signInThere(page: Page, login: string): Promise<void> {
  await page.locator('input[name=username]').fill(login);
  await page.locator('input[name=password]').fill(simpleSamlPassword);
  await page.locator('input[name=password]').press('Enter');
  await page.waitForURL(({ href, pathname }) => href.startsWith(baseUrl) && !pathname.endsWith('/acs'));
}

/** Signs a person in with a new browser. @returns `why` the sign-in was refused. Undefined: it was not */
async function enter(login: string, connection = acme, change?: (xml: string) => string) {
  clock.advance(11);
  const page = await newPage();
  const brought = await meetAnswer(page, connection, change);
  await pressButton(page, connection);
  await signInThere(page, login);
  const isIn = new URL(page.url()).pathname === '/account';
  return { page, fields: brought[0] ?? {}, why: isIn ? undefined : await connection.lastRefusal() };
}

const isIn = async ({ page }: { page: Page }) =>
  new URL((await page.goto(`${baseUrl}/account`))?.url() ?? '').pathname === '/account';
const xmlIn = ({ SAMLResponse = '' }: Record<string, string>) =>
  Buffer.from(SAMLResponse, 'base64').toString();

t.test('people of SimpleSAMLphp sign in', { timeout: 120_000 }, async (t) => {
  t.match(acme.provider, {
    ...{ issuer: provider.metadataUrl, signsRequests: true, certificates: { length: 1 } },
    signIn: { address: `${provider.address}/saml2/idp/SSOService.php`, binding: 'redirect' },
    signOut: `${provider.address}/saml2/idp/SingleLogoutService.php`,
  });
  const anna = await enter('anna');
  t.equal(anna.why, undefined);
  t.match(await anna.page.textContent('body'), /Anna[\s\S]*anna@php\.example/);
  t.match(xmlIn(anna.fields), /nameid-format:persistent/);
  t.equal((await enter('anna')).why, undefined);
  t.equal(await container.users.count(acme.orgId), 1, 'the persistent identifier is one person');
  t.equal((await enter('bob')).why, undefined);
  t.equal(await container.users.count(acme.orgId), 2);
});

t.test('signatures and encryption of SimpleSAMLphp', { timeout: 120_000 }, async (t) => {
  const forged = await enter('anna', acme, (xml) => xml.replaceAll('anna@php', 'eve@php'));
  t.match(forged.why, /^signatureInvalid/, 'an answer that was changed on the way');
  await provider.set({ 'saml20.sign.response': false });
  t.equal((await enter('anna')).why, undefined, 'the assertion alone is signed');
  await acme.change({ signedPart: 'response' });
  t.match((await enter('anna')).why, /^signatureInvalid/, 'the response must be signed');
  await provider.set({ 'saml20.sign.response': true });
  const both = await enter('anna');
  t.equal(both.why, undefined, 'both are signed');
  t.equal(xmlIn(both.fields).split('<ds:SignatureValue').length, 3);
  await acme.change({ signedPart: 'assertion' });
  await provider.set({ 'assertion.encryption': true });
  const encrypted = await enter('anna');
  t.equal(encrypted.why, undefined, 'an encrypted assertion');
  t.match(xmlIn(encrypted.fields), /EncryptedAssertion/);
  t.notMatch(xmlIn(encrypted.fields), /anna/);
  await provider.set({ 'assertion.encryption': false, 'signature.algorithm': sha1 });
  t.match((await enter('anna')).why, /^signatureInvalid: .*SHA-1/);
  await provider.set({ 'signature.algorithm': sha1.replace(/2000.*/, '2001/04/xmldsig-more#rsa-sha512') });
  t.equal((await enter('anna')).why, undefined, 'SHA-512');
  t.equal(await container.users.count(acme.orgId), 2);
});

t.test('an answer for one organization is none for another', { timeout: 120_000 }, async (t) => {
  const other = await connect('refuse');
  t.match(
    (await enter('anna', other)).why,
    /^unknownPerson/,
    'a person of the first is unknown to the other',
  );
  const { fields } = await enter('anna');
  const visitor = newVisitor(service);
  const left = new URL(await leaveFor(visitor, other));
  const carried = { ...fields, RelayState: left.searchParams.get('RelayState') ?? '' };
  const seen = await bringBack(service, visitor, { path: other.acsPath, fields: carried });
  t.notOk(isSignedIn(seen));
  t.match(await other.lastRefusal(), /^answerInvalid/, 'the answer of the first');
  t.equal(await container.users.count(other.orgId), 0);
});

t.test('a sign-out reaches the other side', { timeout: 120_000 }, async (t) => {
  const [anna, bob] = [await enter('anna'), await enter('bob')];
  await anna.page.goto(`${baseUrl}/oidc/v1/end_session`);
  await anna.page.locator('button[name=answer][value=yes]').click();
  await anna.page.waitForURL(({ searchParams }) => searchParams.get('ended') === 'done');
  await pressButton(anna.page, acme);
  await anna.page.locator('input[name=password]').waitFor();
  t.match(anna.page.url(), provider.address, 'the provider asks for the password again');
  await signInThere(anna.page, 'anna');
  t.ok(await isIn(anna));

  await signOutThere(anna.page);
  t.strictSame([await isIn(anna), await isIn(bob)], [false, true], 'the provider ended the session of anna');
  await provider.set({ 'sign.logout': false, 'redirect.sign': false });
  await signOutThere(bob.page).catch(() => undefined);
  t.ok(await isIn(bob), 'a request without a signature ends nothing');
});

/** Signs a person out on the pages of the provider, which then leads to a page of its own. */
async function signOutThere(page: Page): Promise<void> {
  const end = `${provider?.address}/logout.html`;
  page.setDefaultTimeout(10_000);
  await page.goto(`${acme.provider.signOut}?ReturnTo=${encodeURIComponent(end)}`);
  await page.waitForURL(end);
}
