import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { putExtensionSchema } from '#src/people/extension-schemas/change-extension-schemas.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { signInTo } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { cutTexts, takenLooks } from '../support/network/looks.js';
import { badgeSchema } from '../support/scim/extension-schema.js';

/**
 * The pages of users and groups in a browser: search while typing, a conflict, and both widths.
 */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: 'smtp://127.0.0.1:9',
});
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const owner = await makePerson(container, home, { name: { givenName: 'Olga', familyName: 'Owner' } });
await addMembership(container, { userId: owner.id, role: 'ORG_OWNER', orgId: home.id, editor: testEditor });
await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor: testEditor });
for (const [n, family] of ['Berg', 'Bergström', 'Castillo', 'Dubois', 'Eriksen'].entries()) {
  const name = { givenName: ['Ada', 'Björn', 'Chloé'][n % 3] ?? '', familyName: family };
  await makePerson(container, home, { name, active: n !== 3 });
}
const user = await makePerson(container, home, {
  userName: 'wilhelmina.von-und-zu-hohenlohe-langenburg@really-long-domain.example',
  name: { givenName: 'Wilhelmina', familyName: 'von und zu Hohenlohe-Langenburg' },
  emails: [
    { value: 'wilhelmina.von-und-zu-hohenlohe@acme.example', type: 'work', primary: true },
    { value: 'w@home.example', type: 'home' },
  ],
  phoneNumbers: [{ value: '+41791234567', type: 'mobile' }],
  title: 'Engineer',
  department: 'Research',
  employeeNumber: '4711',
  addresses: [{ streetAddress: 'Hauptstrasse 1', locality: 'Bern', country: 'CH' }],
});
await giveTotp(container, user);
await putExtensionSchema(container, { orgId: home.id, schema: badgeSchema, editor: testEditor });
const group = await addGroup(container, {
  orgId: home.id,
  profile: { displayName: 'Engineering' },
  members: new Set([user.id, owner.id]),
  editor: testEditor,
});
const [ownRole] = await container.memberships.ofUser(owner.id);
const users = `${baseUrl}/console/orgs/${home.id}/users`;
const groups = `${baseUrl}/console/orgs/${home.id}/groups`;

for (const [width, locale, colorScheme] of takenLooks([
  [390, 'de-DE', 'dark'],
  [1280, 'en-GB', 'light'],
] as const)) {
  t.test(`${width} pixels wide, ${locale}, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale, colorScheme });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));

    const check = async (name: string) => {
      t.same(await axeViolations(page), [], `${name}: axe`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
      t.same(await cutTexts(page), [], `${name}: no text is cut`);
      await takeScreenshot(page, `console-${name}-${width}-${colorScheme}`);
    };

    await page.goto(users);
    await page.locator('#loginName').fill(owner.userName);
    await page.locator('#password').fill(goodPassword);
    await page.locator('form[action$="/login"] button[type=submit]').click();
    await page.waitForURL(users);
    await check('users');

    await page.locator('#f-search').pressSequentially('berg');
    await page.waitForURL(/search=berg/);
    await page.locator('tbody tr').nth(1).waitFor();
    t.equal(await page.locator('tbody tr').count(), 2, 'results follow while the person types');
    await page.locator('#f-active').selectOption('false');
    await page.locator('#results .empty').waitFor();
    t.equal(await page.locator('#f-search').inputValue(), 'berg', 'the field keeps the text and the focus');

    for (const [name, address] of [
      ['users-new', `${users}/new`],
      ['user-profile', `${users}/${user.id}`],
      ['user-edit', `${users}/${user.id}/edit`],
      ['user-sign-in', `${users}/${user.id}/sign-in`],
      ['user-sessions', `${users}/${owner.id}/sessions`],
      ['user-roles', `${users}/${owner.id}/roles?group=eng`],
      [
        'user-role-take',
        `${users}/${owner.id}/roles/${ownRole?.id}/take?scope=${ownRole?.orgId === undefined ? 'instance' : 'organization'}`,
      ],
      ['user-log', `${users}/${user.id}/log`],
      ['user-delete', `${users}/${user.id}/delete`],
      ['user-reset', `${users}/${user.id}/reset-password`],
      ['users-question', `${users}/actions?action=deactivate&all=on&search=berg`],
      ['users-to-group', `${users}/actions?action=addToGroup&id=${user.id}`],
      ['groups', groups],
      ['groups-question', `${groups}/actions?action=deleteGroups&id=${group.id}`],
      ['group', `${groups}/${group.id}?user=ber`],
      ['group-delete', `${groups}/${group.id}/delete`],
    ] as const) {
      await page.goto(address);
      await check(name);
    }

    await page.goto(`${users}/${user.id}/edit`);
    await page.locator('#f-manager').pressSequentially('berg');
    await page.locator('#f-manager-suggestions option[value]').nth(1).waitFor({ state: 'attached' });

    await page.goto(`${users}/${user.id}/reset-password`);
    await page.locator('form[action$="/reset-password"] button').first().click();
    await page.locator('.secret').waitFor();
    await check('user-link');
    t.same(complaints, [], 'the policy forbids nothing that the pages do');
  });
}

t.test('the list shows whole addresses, 390 and 1280 pixels wide', async (t) => {
  const page = await signInTo(t, browser, {
    ...{ baseUrl, userName: owner.userName, width: 390 },
    from: `/console/orgs/${home.id}/users`,
  });
  const address = page.getByText(String(user.emails[0]?.value), { exact: true });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const box = await address.boundingBox();
    t.ok(
      box !== null && box.x >= 0 && box.x + box.width <= width,
      `${width} pixels: all of it is in the window`,
    );
    t.same(await cutTexts(page), [], `${width} pixels: no box hides a part of it`);
  }
});

t.test('two windows edit one profile', async (t) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  t.teardown(() => context.close());
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(`${users}/${user.id}/edit`);
  await first.locator('#loginName').fill(owner.userName);
  await first.locator('#password').fill(goodPassword);
  await first.locator('form[action$="/login"] button[type=submit]').click();
  await first.locator('#f-title').fill('Chief');
  await second.goto(`${users}/${user.id}/edit`);
  await second.locator('#f-title').fill('Boss');
  await second.locator('main form button[type=submit]').click();
  await second.locator('.notice').waitFor();
  await first.locator('main form button[type=submit]').click();
  await first.locator('.alert table').waitFor();
  t.same(await axeViolations(first), []);
  t.equal(await first.locator('#f-title').inputValue(), 'Chief', 'what was typed is kept');
  await takeScreenshot(first, 'console-user-conflict-1280-light');
});
