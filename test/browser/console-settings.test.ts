import sharp from 'sharp';
import t from 'tap';
import { changeOrganization } from '#src/organizations/index.js';
import { putExtensionSchema } from '#src/people/extension-schemas/change-extension-schemas.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, signInTo, walkConsole } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { cutTexts, takenLooks } from '../support/network/looks.js';
import { badgeSchema, badgeUrn } from '../support/scim/extension-schema.js';

/** The settings of an organization, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const { id: orgId } = await makeHome(container, { name: 'Lindgren & Söhne', domains: ['lindgren.example'] });
const change = { login: { brandColor: '#ffd400' } };
const home = await changeOrganization(container, { orgId, change, editor: testEditor });
await putExtensionSchema(container, { orgId: home.id, schema: badgeSchema, editor: testEditor });

const settings = `/console/orgs/${home.id}/settings`;
const pages = {
  settings,
  domains: `${settings}/domains`,
  members: `${settings}/members`,
  schemas: `${settings}/schemas`,
  'schema-new': `${settings}/schemas/edit`,
  'schema-edit': `${settings}/schemas/edit?id=${badgeUrn}`,
  'attribute-new': `${settings}/schemas/attribute?id=${badgeUrn}`,
  'attribute-edit': `${settings}/schemas/attribute?id=${badgeUrn}&name=color`,
  'attribute-remove': `${settings}/schemas/attribute/remove?id=${badgeUrn}&name=color`,
  grants: `${settings}/grants`,
  migration: `${settings}/migration`,
};

for (const [width, language] of takenLooks([
  [1280, 'it'],
  [390, 'de'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
    const page = await signInTo(t, browser, { baseUrl, from: settings, userName, width });
    const branding = page.locator('form[action$="/branding"]');
    await branding.locator('#f-brandColor').fill('red');
    await branding.locator('#f-logoUrl').fill('https://a:b@pictures.example/1.png');
    await branding.locator('button').click();
    await page.waitForURL(/refused=/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await takeScreenshot(page, `settings-refused-${width}-${colorScheme}`);
      t.same(await axeViolations(page), [], 'the messages keep nobody out');
    }
    t.same(await cutTexts(page), []);
    await page.locator('.alert a').last().click();
    t.equal(await page.evaluate('document.activeElement.id'), 'f-logoUrl', 'a link leads into the field');
  });
}

t.test('the preview follows what is typed and picked, and a logo is uploaded', async (t) => {
  const userName = await makeOwner(container, home, 'en');
  const page = await signInTo(t, browser, { baseUrl, from: settings, userName, width: 1280 });
  const framesShow = async (color: string) => {
    for (const title of ['Light', 'Dark'])
      await page.frameLocator(`iframe[title$="${title}"]`).getByText(`Links in ${color}`).waitFor();
  };
  await framesShow('#ffd400');
  await page.locator('#f-brandColor').fill('#0A6B4F');
  await framesShow('#0a6b4f');
  t.equal(await page.locator('#f-brandColorPick').inputValue(), '#0a6b4f', 'the picker follows the text');
  await page.locator('#f-brandColorPick').fill('#aa0000');
  t.equal(await page.locator('#f-brandColor').inputValue(), '#aa0000', 'the text follows the picker');
  await framesShow('#aa0000');
  const buffer = await sharp({ create: { width: 300, height: 60, channels: 3, background: '#aa0000' } })
    .png()
    .toBuffer();
  await page.locator('#f-logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await page.locator('form[enctype] button').click();
  await page.waitForURL(`${baseUrl}${settings}?done=saved#branding`);
  await page.frameLocator('iframe[title$="Dark"]').locator('img.logo').waitFor();
  const frame = page.frames().find((one) => one.url().includes('scheme=dark'));
  t.equal(
    await frame?.evaluate('document.images[0].decode().then(() => document.images[0].naturalWidth)'),
    300,
  );
  await takeScreenshot(page, 'settings-logo-1280');
});
