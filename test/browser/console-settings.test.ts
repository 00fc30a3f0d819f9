import t from 'tap';
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
const home = await makeHome(container, { name: 'Lindgren & Söhne', domains: ['lindgren.example'] });
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
