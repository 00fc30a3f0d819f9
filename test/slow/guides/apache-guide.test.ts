import { chmod } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { followGuide } from '../../support/docs/follow-guide.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { isAskedToSignIn, openPage, signIn } from '../../support/docs/visit-application.js';
import { startApache } from '../../support/network/apache.js';
import { launchChromium } from '../../support/network/chromium.js';

/** A person uses the site that the guide for Apache protects. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

/** The application behind Apache. It shows what it was told of the person. */
const application = createServer(({ headers }, response) => {
  response.setHeader('content-type', 'text/html');
  const { 'x-person-name': name, 'x-person-email': email } = headers;
  response.end(`Hello, ${name} (${email}). <a href="${signOut}">Sign out</a>`);
});
let signOut = '';
await new Promise<void>((done) => application.listen(0, '127.0.0.1', done));
t.teardown(() => application.close());

t.test('apache.md: Apache signs a person in and out, and renews the access token', async (t) => {
  // Apache renews an access token a minute before it expires, so it renews this one at each request.
  const muster = await startMusterOfReader(t, { accessTokenSeconds: 30 });
  const guide = await followGuide(t, muster, { name: 'apache.md', ports: [8081] });
  const { folder, files, shell, port } = guide;
  const address = `http://localhost:${port}`;
  signOut = `/signed-in?logout=${address}/signed-out`;
  // Apache's processes run as another user.
  await chmod(folder, 0o755);
  const site = (files['intranet.conf'] ?? '')
    .replace('127.0.0.1:9000', `127.0.0.1:${(application.address() as AddressInfo).port}`)
    .replace('/var/www', folder);
  const written = await shell.run('. ./muster.env; env -0 | tr "\\n\\0" " \\n"');
  const variables = Object.fromEntries(written.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  if (!(await startApache(t, { port, site, variables }))) return;

  const page = await openPage(t, browser);
  await page.goto(address);
  await signIn(page, muster);
  await page.getByText('Hello, Anna Lind (anna.lind@people.example)').waitFor();
  t.equal(page.url(), `${address}/`);

  const forging = { headers: { 'x-person-name': 'Mallory', 'x-person-email': 'm@evil.example' } };
  const forged = await page.context().request.get(address, forging);
  t.match(await forged.text(), /^Hello, Anna Lind \(anna.lind@people.example\)/, 'a browser names nobody');
  const unknown = await fetch(address, { ...forging, redirect: 'manual' });
  t.equal(unknown.status, 401, 'a program without a session reaches nothing');

  const renewals = () => muster.answered.filter((one) => one === 'refresh_token issued').length;
  const before = renewals();
  await page.reload();
  await page.getByText('Hello, Anna Lind').waitFor();
  t.ok(renewals() > before, 'the access token was about to expire');

  await page.getByRole('link', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  t.equal(page.url(), `${address}/signed-out`);
  await page.getByRole('link', { name: 'Sign in again' }).click();
  t.ok(await isAskedToSignIn(page, muster), 'the session at Muster has ended too');

  await signIn(page, muster);
  await page.getByText('Hello, Anna Lind').waitFor();
  await shell.run(`admin -X DELETE "$BASE/admin/v1/orgs/$ORG/users/${muster.person.id}/sessions"`);
  await page.reload();
  await page.getByText('You are signed out').waitFor();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  t.ok(await isAskedToSignIn(page, muster), 'an administrator has ended the session');
});
