import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeTenant } from '../support/app/make.js';
import { makeCertificate } from '../support/network/certificate.js';
import { launchChromium } from '../support/network/chromium.js';
import { startRealSamlProvider } from '../support/saml/real-saml-provider.js';

/** A person signs in by SAML with a browser: another site posts the response, without the cookie, and a page of this service posts it again. */

const browser = await launchChromium(t);
const certificate = browser && (await makeCertificate(t));
if (browser === undefined || certificate === undefined) process.exit(0);

const { container, baseUrl, call } = await buildListeningApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const provider = await startRealSamlProvider(t, certificate);

for (const javaScriptEnabled of [true, false]) {
  for (const binding of ['redirect', 'post'] as const) {
    const how = `by ${binding}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
    t.test(`a person goes to the provider and comes back, ${how}`, async (t) => {
      const { orgId, owner } = await makeTenant(container);
      const signIn = { address: provider.metadataUrl.replace('metadata', 'sso'), binding };
      const body = {
        name: 'Acme',
        protocol: 'saml',
        creation: 'create',
        provider: { metadataUrl: provider.metadataUrl, signIn },
        claims: { displayName: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name' },
      };
      const added = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as: owner, body });
      t.equal(added.status, 201, JSON.stringify(added.body));
      const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: 'en' });
      t.teardown(() => context.close());
      const page = await context.newPage();
      await page.goto(`${baseUrl}/login?organization=${orgId}`);
      await page.getByRole('button', { name: 'Sign in with Acme' }).click();
      if (!javaScriptEnabled && binding === 'post')
        await page.getByRole('button', { name: 'Continue' }).click();
      await page.locator('input[name=login]').fill('anna');
      await page.getByRole('button', { name: 'Sign in there' }).click();
      if (!javaScriptEnabled) {
        await page.getByRole('button', { name: 'Submit' }).click();
        await page.getByRole('button', { name: 'Continue' }).click();
      }
      await page.waitForURL(/\/account/);
      t.match(await page.textContent('body'), 'Real anna');
      const cookies = await context.cookies(baseUrl);
      t.ok(
        cookies.every(({ sameSite }) => sameSite === 'Lax' || sameSite === 'Strict'),
        'cookies stay as they are',
      );
    });
  }
}
