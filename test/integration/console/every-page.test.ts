import t from 'tap';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeHome } from '../../support/app/people.js';
import { recordRoutes } from '../../support/app/route-facts.js';
import { buildTestApp, type TestApp } from '../../support/app/test-app.js';
import { formsOf, visit } from '../../support/oidc/visitor.js';

/**
 * Every page and form of the console, made from its routes: who may open it, that a form counts only with its token, and that
 * no organization sees another. The API decides, so a page that answers without asking it fails here.
 */

let opened: TestApp | undefined;
const routes = (
  await recordRoutes(async () => {
    opened = await buildTestApp(t, { workers: true });
  })
).filter(({ console }) => console !== undefined);
if (opened === undefined) throw new Error('There is no application');
const { app, container } = opened;

const acme = await makeFullOrganization(container);
const home = await makeHome(container, { name: 'Foe' });
const acmeHome = await container.caches.organizations.get(acme.orgId);
if (acmeHome === undefined) throw new Error('There is no organization');

const root = await openConsole({ app, container }, home, { roles: ['IAM_OWNER'] });
const owner = await openConsole({ app, container }, acmeHome, { roles: ['ORG_OWNER'] });
const manager = await openConsole({ app, container }, acmeHome, { roles: ['ORG_USER_MANAGER'] });
const foe = await openConsole({ app, container }, home, { roles: ['ORG_OWNER'] });
const nobody = await openConsole({ app, container }, acmeHome);

/** The address of a route in the organization, with objects that do not exist. */
const addressOf = (path: string, orgId: string) =>
  path.replace(':orgId', orgId).replaceAll(/:(\w+)/g, 'unknown-$1');

const pages = routes.filter(({ route }) => route.startsWith('GET '));
const forms = routes.filter(({ route }) => route.startsWith('POST '));

t.test('there are pages of each reach', async (t) => {
  t.ok(pages.length > 2);
  t.ok(forms.length > 1);
});

for (const { route, console: reach } of pages) {
  const [, path = ''] = route.split(' ');
  t.test(route, async (t) => {
    const address = addressOf(path, acme.orgId);
    const stranger = await visit(app, container).get(address);
    t.match(stranger, { status: 303, location: /^\/oauth\/v2\/authorize/ }, 'the person signs in first');
    const statusFor = async (user: ConsoleUser) => (await user.get(address)).status;
    const named = path.replace('/:orgId', '').includes(':');
    // Some pages need the name of an object in their address.
    const allowed = named || /remove$/.test(path) ? [200, 303, 400, 404] : [200, 303];
    const refused = [403, 404];
    t.ok(allowed.includes(await statusFor(root)), 'an owner of the instance');
    t.ok((reach === 'instance' ? refused : allowed).includes(await statusFor(owner)), 'an owner');
    if (reach === 'organization') t.ok(refused.includes(await statusFor(foe)), 'an owner of another one');
    if (reach !== 'anyone') t.ok(refused.includes(await statusFor(nobody)), 'a person without a role');
    const ofManager = await statusFor(manager);
    t.ok([...allowed, ...refused].includes(ofManager), `a user manager: ${ofManager}`);
  });
}

for (const { route, console: reach, streamed } of forms) {
  const [, path = ''] = route.split(' ');
  t.test(route, async (t) => {
    const address = addressOf(path, acme.orgId);
    const type = streamed ? 'multipart/form-data; boundary=x' : 'application/x-www-form-urlencoded';
    const payload = streamed ? '--x--\r\n' : '';
    const cookieOf = ({ cookies }: { cookies: ReadonlyMap<string, string> }) =>
      [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: address, payload, headers: { 'content-type': type, ...headers } });
    const { origin } = new URL(container.config.baseUrl);
    const foreign = await post({ cookie: cookieOf(root), origin: 'https://attacker.example' });
    t.equal(foreign.statusCode, 403, 'a form of another site');
    t.equal((await post({ cookie: cookieOf(root) })).statusCode, 403, 'a form without an origin');
    t.equal((await post({ cookie: cookieOf(root), origin })).statusCode, 403, 'a form without a token');
    const withoutSession = await post({ origin });
    t.ok([303, 403].includes(withoutSession.statusCode), 'a form without a session');
    if (streamed) return;
    // Tokens are for one address: one of another form does not count here.
    const start = await owner.get('/console');
    const elsewhere = formsOf(start.text).find(({ action }) => !action.endsWith(path))?.hidden['csrf'] ?? '';
    if (path !== '/console/sign-out') {
      const answer = await owner.post(address, { csrf: elsewhere });
      t.equal(answer.status, 403, 'a token of another form');
    }
    if (reach === 'anyone') return;
    // A token that the person's own session made, as a page of this address would have it.
    const token = await tokenFor(reach === 'instance' ? owner : foe, address);
    const answer = await (reach === 'instance' ? owner : foe).post(address, { csrf: token });
    t.ok(
      [400, 403, 404].includes(answer.status) ||
        (answer.status === 303 && answer.location?.startsWith('/oauth/v2/authorize')),
      `a person whose roles do not reach it: ${answer.status} ${answer.location ?? ''}`,
    );
  });
}

/** The token that a page would have for a form. The session's secret is in the sealed cookie. */
async function tokenFor(user: ConsoleUser, address: string): Promise<string> {
  const { formToken } = await import('#src/console/http/form.js');
  const { readConsoleSession } = await import('#src/console/http/console-session.js');
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const session = readConsoleSession(container, { headers: { cookie } } as never);
  if (session === undefined) throw new Error('The person is not signed in');
  return formToken(session, address);
}
