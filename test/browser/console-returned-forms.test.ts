import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { signInTo } from '../support/app/walk-console.js';
import { axeViolations } from '../support/network/axe.js';
import { launchChromium, takeScreenshot } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/**
 * The session of an administrator ends while a form is open. After the sign-in the form has what was typed, or asks for it once more.
 */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl, clock } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });

for (const [width, preferredLanguage, colorScheme] of takenLooks([
  [390, 'de', 'dark'],
  [1280, 'en', 'light'],
  [390, 'fr', 'light'],
  [1280, 'es', 'dark'],
  [390, 'it', 'dark'],
] as const)) {
  t.test(`${width} pixels wide, ${preferredLanguage}, ${colorScheme}`, async (t) => {
    const owner = await makePerson(container, home, {
      preferredLanguage,
      name: { givenName: 'Olga', familyName: 'Owner' },
    });
    await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor: testEditor });
    const user = await makePerson(container, home, { name: { givenName: 'Ada', familyName: 'Berg' } });
    const path = `/console/orgs/${home.id}/users/${user.id}`;
    const edit = `${baseUrl}${path}/edit`;
    const page = await signInTo(t, browser, { baseUrl, from: '/console', userName: owner.userName, width });
    await page.emulateMedia({ colorScheme });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const signIn = async () => {
      await page.locator('#password').waitFor();
      const name = page.locator('#loginName');
      if (await name.isVisible()) await name.fill(owner.userName);
      await page.locator('#password').fill(goodPassword);
      await page.locator('form[action$="/login"] button[type=submit]').click();
    };
    const check = async (name: string) => {
      t.same(await axeViolations(page), [], `${name}: axe`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name}: nothing is wider than the window`);
      await takeScreenshot(page, `console-${name}-${width}-${colorScheme}`);
    };

    await page.goto(edit);
    await page.locator('#f-title').fill('Chief "Typist" <b>');
    await page.locator('#f-emails').fill('ada@acme.example\nada@home.example');
    await container.sessions.endAllOf(owner.id);
    await page.locator('main form button[type=submit]').click();
    await signIn();
    await page.waitForURL(edit);
    await page.locator('.notice').waitFor();
    t.equal(await page.locator('#f-title').inputValue(), 'Chief "Typist" <b>');
    t.equal(await page.locator('#f-emails').inputValue(), 'ada@acme.example\nada@home.example');
    await check('returned-form');
    await page.locator('.notice a').click();
    await page.locator('#returned button[type=submit]').click();
    await page.waitForURL(/done=saved/);
    t.equal((await container.users.find(home.id, user.id))?.title, 'Chief "Typist" <b>');

    await page.goto(`${baseUrl}/console/service`);
    const give = page.locator('form[action$="/console/service/roles"]');
    await page.locator('details', { has: give }).locator('summary').click();
    await give.locator('input[name=userId]').fill(user.id);
    await container.sessions.endAllOf(owner.id);
    await give.locator('button').click();
    await signIn();
    await page.waitForURL(`${baseUrl}/console/service`);
    await page.locator('.notice').waitFor();
    t.equal(await give.locator('input[name=userId]').inputValue(), user.id);
    t.equal((await container.memberships.ofUser(user.id)).length, 0, 'the role is given by hand');
    await check('returned-role');

    await page.goto(`${baseUrl}${path}`);
    await container.sessions.endAllOf(owner.id);
    await page.locator('form[action$="/deactivate"] button').click();
    await signIn();
    await page.waitForURL(`${baseUrl}${path}`);
    await page.locator('.notice').waitFor();
    t.match(await page.locator('h1').textContent(), 'Ada Berg', 'the page names the object');
    t.ok(await page.locator('form[action$="/deactivate"] button').isVisible(), 'and the act');
    t.equal((await container.users.find(home.id, user.id))?.active, true);
    await check('returned-button');

    await page.goto(`${baseUrl}/console/orgs/${home.id}/users/new`);
    await page.locator('#f-userName').fill(`new-${preferredLanguage}`);
    await page.locator('input[name=credential][value=password]').check();
    await page.locator('#f-password').fill('Typed-Secret-9');
    await container.sessions.endAllOf(owner.id);
    await page.locator('main form button[type=submit]').click();
    await signIn();
    await page.locator('.notice').waitFor();
    t.equal(await page.locator('#f-userName').inputValue(), `new-${preferredLanguage}`);
    t.equal(await page.locator('#f-password').inputValue(), '');
    t.equal(await page.locator('input[name=credential]:checked').inputValue(), 'password');
    await check('returned-user');
    await page.locator('input[name=credential][value=link]').check();
    await page.locator('#returned button[type=submit]').click();
    await page.locator('.secret').waitFor();

    clock.advance(container.config.freshSignInSeconds + 60);
    await page.goto(`${baseUrl}${path}/roles`);
    const role = page.locator('form[action$="/roles/give"]');
    await role.locator('select').selectOption('ORG_USER_MANAGER');
    await role.locator('button').click();
    await page.locator('#loginName[readonly]').waitFor();
    t.equal(await page.locator('#loginName').inputValue(), owner.userName);
    t.match(await page.locator('h1 + p').textContent(), 'Ada Berg', 'the page says for whom');
    await check('confirm-act');
    await page.locator('#password').fill(goodPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${baseUrl}${path}/roles`);
    t.equal(await role.locator('select').inputValue(), 'ORG_USER_MANAGER', 'the role is still chosen');
    await check('confirmed-act');
    await page.goto(`${baseUrl}/console/orgs/${home.id}/log?type=users`);
    await check('log-in-words');
    t.same(complaints, [], 'the policy forbids nothing that the pages do');
  });
}
