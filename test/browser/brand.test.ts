import t from 'tap';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { freePort } from '../../dev/free-port.js';
import { hostileNames } from '../support/app/hostile-names.js';
import { makeOrganization, testEditor } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { looks, openWindow, submitForm, takenLooks } from '../support/network/looks.js';

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { container, app } = await buildTestApp(t, { baseUrl, loginFailureMilliseconds: 0 });
await app.listen({ host: '127.0.0.1', port });

/** A picture, for the addresses that tests give to logos. */
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="60" height="60" rx="14" fill="#0a6b4f"/><path d="M16 44 30 14l14 30" fill="none" stroke="#fff" stroke-width="7"/><rect x="76" y="18" width="164" height="24" rx="6" fill="#0a6b4f"/></svg>';

async function homeWith(name: string, login: Record<string, string>) {
  const { id: orgId } = await makeOrganization(container);
  const change = { name, login: { selfRegistration: true, ...login } };
  return changeOrganization(container, { orgId, change, editor: testEditor });
}

const brands = {
  green: await homeWith('Aurora Energy', {
    logoUrl: 'https://logo.example/aurora.svg',
    brandColor: '#0a6b4f',
  }),
  yellow: await homeWith('Sonnenfeld Versicherung', { brandColor: '#ffd400' }),
  broken: await homeWith('Lindgren & Söhne', {
    logoUrl: 'https://logo.example/gone.svg',
    brandColor: '#b3201b',
  }),
  plain: await homeWith('Nordwind', {}),
};

/**
 * The name that stands in place of a logo: the text of the brand, or what the style sheet makes of the alternative text of a picture
 * that was not loaded.
 */
const nameShown = `(() => {
  const brand = document.querySelector('.brand');
  const broken = [...brand.querySelectorAll('img')].filter(({ naturalWidth }) => naturalWidth === 0);
  return brand.innerText + broken.map((img) => getComputedStyle(img, '::after').content.slice(1, -1)).join('');
})()`;

const authorizeUrl = (clientId: string, more: Record<string, string> = {}) =>
  `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${baseUrl}/healthz`,
    response_type: 'code',
    scope: 'openid',
    ...more,
  })}`;

for (const look of takenLooks(looks.slice(1))) {
  const name = `${look.width} pixels, ${look.colorScheme}`;

  t.test(`${name}: brands`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    await page.route('https://logo.example/aurora.svg', (route) =>
      route.fulfill({ body: logo, contentType: 'image/svg+xml' }),
    );
    await page.route('https://logo.example/gone.svg', (route) => route.fulfill({ status: 404, body: '' }));
    for (const [kind, { id, name }] of Object.entries(brands)) {
      const { id: clientId } = await makeApplication(container, id, {
        name: 'Timesheets',
        redirectUris: [`${baseUrl}/healthz`],
      });
      await page.goto(authorizeUrl(clientId));
      await see(`brand-${kind}`);
      t.match(await page.evaluate<string>(nameShown), kind === 'green' ? /^$/ : name, kind);
    }
    const { id: clientId } = await makeApplication(container, brands.green.id, { name: 'Timesheets' });
    await page.goto(authorizeUrl(clientId));
    await see('error-redirect');
    await page.goto(`${baseUrl}/nothing`);
    await see('error-nothing');
  });

  t.test(`${name}: a password is shown and hidden, and sent as a password`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    await page.goto(`${baseUrl}/login`);
    const field = page.locator('#password');
    const button = page.getByRole('button', { name: 'Show password' });
    await field.fill('Correct-Horse');
    t.equal(await field.getAttribute('type'), 'password');
    await button.click();
    t.equal(await field.getAttribute('type'), 'text');
    t.equal(await button.getAttribute('aria-pressed'), 'true');
    t.equal(await page.evaluate('document.activeElement.id'), 'password', 'the field keeps the focus');
    await see('password-shown');
    await button.click();
    t.equal(await field.getAttribute('type'), 'password');
    await button.click();
    await page.evaluate(`document.forms[0].addEventListener('submit',e=>e.preventDefault())`);
    await page.locator('#loginName').fill('anna');
    await page.keyboard.press('Enter');
    t.equal(await field.getAttribute('type'), 'password', 'browsers do not remember it as text');

    const { page: without } = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    await without.goto(`${baseUrl}/login`);
    t.equal(await without.getByRole('button').count(), 1, 'without JavaScript there is no button for it');
  });
}

t.test('names of every kind run no script and fit', async (t) => {
  const { page } = await openWindow(t, browser, {
    width: 390,
    colorScheme: 'light',
    javaScriptEnabled: true,
  });
  let dialogs = 0;
  page.on('dialog', () => {
    dialogs++;
  });
  for (const [kind, name] of Object.entries(hostileNames)) {
    const { id: orgId } = await makeOrganization(container, { name });
    const { id: clientId } = await makeApplication(container, orgId, {
      name,
      redirectUris: [`${baseUrl}/healthz`],
    });
    const user = await makePerson(container, { ...brands.plain, id: orgId, name }, { displayName: name });
    await page.context().clearCookies();
    await page.goto(authorizeUrl(clientId, { login_hint: name }));
    await check('login');
    await submitForm(page, '/login', { loginName: user.userName, password: goodPassword });
    for (const path of ['/account', '/login/select', '/account/totp', '/oidc/v1/end_session']) {
      await page.goto(`${baseUrl}${path}`);
      await check(path);
    }

    async function check(where: string): Promise<void> {
      const seen = await page.evaluate<unknown[]>(`[
        document.title === 'hacked',
        document.querySelectorAll('h1').length,
        document.querySelectorAll('[onfocus],[onerror],iframe,img').length,
        document.documentElement.scrollWidth > window.innerWidth,
      ]`);
      t.same(seen, [false, 1, 0, false], `${kind}: ${where}`);
    }
  }
  t.equal(dialogs, 0);
});
