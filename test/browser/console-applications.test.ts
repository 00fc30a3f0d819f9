import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import t from 'tap';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { newSecret } from '#src/platform/ids.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../support/app/people.js';
import { makeOwner, signInTo, walkConsole } from '../support/app/walk-console.js';
import { launchChromium } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The pages of applications, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const { id } = await makeApplication(container, home.id, { name: 'Tickets' });

const api = await makeApplication(container, home.id, {
  type: 'api',
  name: 'Ticket service',
  projectId: 'tickets',
});
const person = await makePerson(container, home);
const project = { orgId: home.id, projectId: 'tickets', editor: testEditor };
await addProjectRole(container, { ...project, id: 'tickets' }, { key: 'agent', displayName: 'Agent' });
await addAssignment(container, { ...project, kind: 'grant', holderId: person.id, roles: ['agent'] });

const list = `/console/orgs/${home.id}/applications`;
const projects = `/console/orgs/${home.id}/projects`;
const pages = {
  applications: list,
  'applications-question': `${list}/actions?action=deactivateApplications&id=${id}`,
  'application-types': `${list}/new`,
  'application-new': `${list}/new?type=web`,
  application: `${list}/${id}`,
  'application-test': `${list}/${id}/test`,
  'application-connect': `${list}/${id}/connect`,
  'program-new': `${list}/new/program`,
  'api-connect': `${list}/${api.id}/connect?with=go`,
  'api-new': `${list}/new/api?caller=${id}`,
  api: `${list}/${api.id}`,
  'call-api-choice': `${list}/${id}/call`,
  'call-api': `${list}/${id}/call?api=${api.id}`,
  projects,
  'project-new': `${projects}/new`,
  project: `${projects}/tickets`,
  'project-roles': `${projects}/tickets/roles`,
  'project-role': `${projects}/tickets/roles/agent`,
  'project-grants': `${projects}/tickets/grants`,
  'project-grants-new': `${projects}/tickets/grants/new`,
  'project-grant': `${projects}/tickets/grants/${person.id}`,
  'project-grant-remove': `${projects}/tickets/grants/${person.id}/remove`,
  'project-groups': `${projects}/tickets/group-grants`,
  'project-members': `${projects}/tickets/members`,
  'project-remove': `${projects}/tickets/remove`,
};

for (const [width, language] of takenLooks([
  [390, 'es'],
  [1280, 'en'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
  });
}

/** Nobody listens there. The browser says where it was led. */
const callback = 'http://127.0.0.1:9/callback';

/** Signs the person in at the application, as the application would, and returns the access token. */
async function tokenFor(page: Page, clientId: string): Promise<string> {
  const verifier = newSecret();
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const led = page.waitForRequest((request) => request.url().startsWith(callback));
  // The address of the application does not answer.
  const going = page.goto(`${baseUrl}/oauth/v2/authorize?${query}`).catch(() => undefined);
  const code = new URL((await led).url()).searchParams.get('code') ?? '';
  await going;
  const answer = await fetch(`${baseUrl}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

t.test('an own API is called after six clicks from the start', { timeout: 120_000 }, async (t) => {
  const first = await makeHome(container, { name: 'First' });
  const userName = await makeOwner(container, first, 'en');
  const page = await signInTo(t, browser, { baseUrl, userName, from: '/console', width: 1280 });
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string) => {
    clicks++;
    await page.getByRole(role, { name, exact: true }).first().click();
  };
  await click('link', 'Applications');
  await click('link', 'Add an application');
  await click('link', 'Choose: Single-page application');
  await page.getByLabel('Name', { exact: true }).fill('Board');
  await page.getByLabel('Redirect URIs').fill(callback);
  await click('button', 'Add an application');
  await click('link', 'Call an API');
  await page.getByLabel('Name', { exact: true }).fill('Orders');
  t.ok(await page.getByLabel('Board', { exact: false }).isChecked(), 'the application is chosen');
  await click('button', 'Add an API');
  t.ok(clicks <= 6, `${clicks} clicks`);
  const secret = String(await page.locator('.secret').first().textContent());
  const commands = String(await page.locator('main').textContent());
  const [, apiId = ''] = /introspect \\\s+-u ([\w-]+):/.exec(commands) ?? [];

  const applications = await container.applications.page(first.id, { limit: 10 });
  const board = applications.find(({ name }) => name === 'Board')?.id ?? '';
  const visitor = await (await browser.newContext({ locale: 'en' })).newPage();
  t.teardown(() => visitor.context().close());
  await visitor.goto(`${baseUrl}/login`);
  await visitor.locator('#loginName').fill(userName);
  await visitor.locator('#password').fill(goodPassword);
  await visitor.locator('form[action$="/login"] button[type=submit]').click();
  await visitor.waitForURL((url) => !url.pathname.endsWith('/login'));
  const token = await tokenFor(visitor, board);
  const answer = await fetch(`${baseUrl}/oauth/v2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${apiId}:${secret}`)}` },
    body: new URLSearchParams({ token }),
  });
  t.match(await answer.json(), { active: true, client_id: board });
});
