import t from 'tap';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { freePort } from '../../dev/free-port.js';
import { until } from '../../dev/until.js';
import { testEditor, uniqueName } from '../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { launchChromium } from '../support/network/chromium.js';
import { looks, openWindow, submitForm, takenLooks } from '../support/network/looks.js';
import { startMailServer } from '../support/network/mail-server.js';

/** Codes and links by mail, remembered browsers, and the question for a passkey, in Chromium. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const mail = await startMailServer(t);
const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const { container, app } = await buildTestApp(t, {
  baseUrl,
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
});
await app.listen({ host: '127.0.0.1', port });
const policy: SignInPolicy = {
  firstFactors: ['password', 'passkey', 'mailLink'],
  secondFactors: ['totp', 'mailCode'],
  rememberedBrowserDays: 30,
};
const demands: SignInPolicy['demands'] = [{ of: 'everybody', acr: '2', from: '2020-01-01' }];

async function newPerson(signInPolicy: SignInPolicy) {
  const home = await makeHome(container, {});
  await changeOrganization(container, {
    orgId: home.id,
    change: () => ({ signInPolicy }),
    editor: testEditor,
  });
  const address = `${uniqueName('mailbox')}@mail.example`;
  const person = await makePerson(container, home, { emails: [{ value: address, primary: true }] });
  return { home, person, address, login: `${baseUrl}/login?to=account&organization=${home.id}` };
}

/** What the pattern finds in the latest mail to an address, once there are so many. */
async function inMail(address: string, pattern: RegExp, count = 1): Promise<string> {
  await until(async () => mail.to(address).length >= count);
  return pattern.exec(mail.to(address).at(-1) ?? '')?.[1] ?? '';
}

for (const look of takenLooks(looks)) {
  t.test(`a code by mail, and a browser that is remembered: ${look.width} ${look.colorScheme}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    const { person, address, login } = await newPerson({ ...policy, demands });
    const credentials = { loginName: person.userName, password: goodPassword };
    await page.goto(login);
    await see('login-with-mail');
    await submitForm(page, '/login', credentials);
    await page.getByText('Enter the code that we sent to').waitFor();
    await see('mail-code');
    await page.locator('#code').fill('AAAA-AAAA');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('That code is wrong.').waitFor();
    await see('mail-code-wrong');
    await page.getByRole('button', { name: 'Send another code' }).click();
    await page.getByText('Another code is on its way').waitFor();
    await page.locator('#code').fill(await inMail(address, /^(\w{4}-\w{4})$/m, 2));
    await page.getByLabel('Do not ask in this browser for 30 days').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Remembered browsers').waitFor();
    await see('account-with-remembered-browser');
    for (const { id } of await container.sessions.ofUser(person.id))
      await container.sessions.end(person.id, id);
    await page.goto(login);
    await submitForm(page, '/login', credentials);
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('The browser is forgotten.').waitFor();
  });

  t.test(`a link by mail: ${look.width} ${look.colorScheme}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    const { person, address, login } = await newPerson(policy);
    await page.goto(login);
    await page.getByRole('link', { name: 'Get a link by mail' }).click();
    await see('mail-link');
    await page.locator('#loginName').fill(person.userName);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('the mail is on its way').waitFor();
    await see('mail-link-sent');
    const link = await inMail(address, /(http:\/\/localhost\S*\/login\/mail-link\/open\?token=[\w-]+)/);
    const other = await openWindow(t, browser, { ...look, javaScriptEnabled: false });
    await other.page.goto(link);
    await other.page.getByText('only in the browser that asked for it').waitFor();
    await other.see('mail-link-elsewhere');
    await page.goto(link);
    await see('mail-link-open');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/account\?session=/);
  });

  t.test(`a passkey is offered once: ${look.width} ${look.colorScheme}`, async (t) => {
    const { page, see } = await openWindow(t, browser, { ...look, javaScriptEnabled: true });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
    const { person, login } = await newPerson(policy);
    const credentials = { loginName: person.userName, password: goodPassword };
    await page.goto(login);
    // The script asks the browser, and fills the field in.
    await page.locator('[data-passkey-able][value="1"]').waitFor({ state: 'attached' });
    await submitForm(page, '/login', credentials);
    await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor();
    await see('passkey-offer');
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.waitForURL(/\/account\?session=/);
    t.equal((await container.accounts.find(person.orgId, person.id))?.passkeys?.count, 1);
  });
}
