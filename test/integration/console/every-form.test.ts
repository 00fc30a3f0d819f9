import t from 'tap';
import { putMigrationHook } from '#src/authentication/migration-hook/put-migration-hook.js';
import { putPasswordPepper } from '#src/authentication/password-pepper/index.js';
import { addSetupLink } from '#src/connections/setup/index.js';
import { readConsoleSession } from '#src/console/http/console-session.js';
import type { ConsoleForm } from '#src/http/base/route-facts.js';
import { openConsole } from '../../support/app/console.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { recordRoutes } from '../../support/app/route-facts.js';
import { buildTestApp, type TestApp } from '../../support/app/test-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import type { Seen } from '../../support/oidc/visitor.js';
import { addSamlConnection, createHostileSamlProvider } from '../../support/saml/hostile-saml-provider.js';

/**
 * Every form of the console, found by following the links of its pages: what becomes of it if the session ends before it is sent. A form
 * declares it with its route. A new form makes this test fail until it stands in one of the lists below.
 */

/** Forms that come back with what was typed. None of them gives a role, a secret or a link, and none destroys anything. */
const returning: Readonly<Record<string, 'everything' | { allBut: string[] }>> = {
  '/console/orgs/:orgId/applications/:id': 'everything',
  '/console/orgs/:orgId/connections/:connectionId/change': { allBut: ['clientSecret'] },
  '/console/orgs/:orgId/connections/:connectionId/mapping': 'everything',
  '/console/orgs/:orgId/connections/setup': 'everything',
  '/console/orgs/:orgId/connections/new': { allBut: ['clientSecret'] },
  '/console/orgs/:orgId/groups/:groupId/rename': 'everything',
  '/console/orgs/:orgId/groups/new': 'everything',
  '/console/orgs/:orgId/projects/:projectId': 'everything',
  '/console/orgs/:orgId/projects/:projectId/roles': 'everything',
  '/console/orgs/:orgId/projects/:projectId/roles/:roleKey': 'everything',
  '/console/orgs/:orgId/projects/new': 'everything',
  '/console/orgs/:orgId/service-users/:id': 'everything',
  '/console/orgs/:orgId/settings/change/:form': 'everything',
  '/console/orgs/:orgId/settings/domains': 'everything',
  '/console/orgs/:orgId/settings/grants': 'everything',
  '/console/orgs/:orgId/settings/migration/test': { allBut: ['password'] },
  '/console/orgs/:orgId/settings/schemas/edit': 'everything',
  '/console/orgs/:orgId/settings/sign-in-policy': 'everything',
  '/console/orgs/:orgId/settings/schemas/attribute': 'everything',
  '/console/orgs/:orgId/users/:userId/edit': 'everything',
  '/console/orgs/:orgId/users/new': { allBut: ['password'] },
  '/console/orgs/:orgId/applications/new': 'everything',
  '/console/orgs/:orgId/applications/new/api': 'everything',
  '/console/orgs/:orgId/applications/new/program': 'everything',
  '/console/orgs/:orgId/groups/:groupId/roles': 'everything',
  '/console/orgs/:orgId/projects/:projectId/grants/:holderId': 'everything',
  '/console/orgs/:orgId/projects/:projectId/grants/new': 'everything',
  '/console/orgs/:orgId/projects/:projectId/group-grants/:holderId': 'everything',
  '/console/orgs/:orgId/projects/:projectId/group-grants/new': 'everything',
  '/console/orgs/:orgId/projects/:projectId/members/:holderId': 'everything',
  '/console/orgs/:orgId/projects/:projectId/members/new': 'everything',
  '/console/orgs/:orgId/provisioning/connect': 'everything',
  '/console/orgs/:orgId/service-users/new': 'everything',
  '/console/orgs/:orgId/settings/members': 'everything',
  '/console/orgs/:orgId/users/:userId/roles/give': 'everything',
  '/console/orgs/new': 'everything',
  '/console/service/roles': 'everything',
  '/console/service/features': 'everything',
  '/console/service/keys/rotate': 'everything',
};

/** Forms that are filled in once more, because they make a secret or a link at once, or hold a secret or a file. */
const givingOrSecret = [
  '/console/migration/export',
  '/console/migration/import',
  '/console/migration/import/address',
  '/console/migration/import/bucket',
  '/console/orgs/:orgId/applications/:id/keys',
  '/console/orgs/:orgId/applications/:id/secrets',
  '/console/orgs/:orgId/connections/:connectionId/metadata',
  '/console/orgs/:orgId/connections/new-saml',
  '/console/orgs/:orgId/groups/:groupId/members/:userId/add',
  '/console/orgs/:orgId/provisioning/test',
  '/console/orgs/:orgId/service-users/:id/federated-credentials',
  '/console/orgs/:orgId/service-users/:id/keys',
  '/console/orgs/:orgId/service-users/:id/secrets',
  '/console/orgs/:orgId/service-users/:id/tokens',
  '/console/orgs/:orgId/settings/logo',
  '/console/orgs/:orgId/settings/migration',
  '/console/orgs/:orgId/settings/migration/pepper',
  '/console/orgs/:orgId/users/:userId/groups/:groupId/join',
  '/console/orgs/:orgId/users/export',
  '/console/orgs/:orgId/users/many',
  '/console/orgs/:orgId/users/many/cells',
  '/console/orgs/:orgId/users/:userId/reset-password',
];

/** Forms of one button, and those for which a name is typed because nobody can take the step back. */
const buttons = [
  '/console/migration/jobs/:id/cancel',
  '/console/orgs/:orgId/applications/:id/active',
  '/console/orgs/:orgId/applications/actions',
  '/console/orgs/:orgId/groups/actions',
  '/console/orgs/:orgId/applications/:id/call',
  '/console/orgs/:orgId/applications/:id/connect',
  '/console/orgs/:orgId/applications/:id/keys/:credentialId/remove',
  '/console/orgs/:orgId/applications/:id/mark',
  '/console/orgs/:orgId/applications/:id/project',
  '/console/orgs/:orgId/applications/:id/remove',
  '/console/orgs/:orgId/applications/:id/secrets/:credentialId/remove',
  '/console/orgs/:orgId/applications/:id/test',
  '/console/orgs/:orgId/connections/:connectionId/remove',
  '/console/orgs/:orgId/connections/:connectionId/sign-in-tests',
  '/console/orgs/:orgId/connections/:connectionId/switch-off',
  '/console/orgs/:orgId/connections/:connectionId/switch-on',
  '/console/orgs/:orgId/connections/:connectionId/test',
  '/console/orgs/:orgId/connections/setup/:setupLinkId/end',
  '/console/orgs/:orgId/groups/:groupId/delete',
  '/console/orgs/:orgId/groups/:groupId/members/:userId/remove',
  '/console/orgs/:orgId/projects/:projectId/grants/:holderId/remove',
  '/console/orgs/:orgId/projects/:projectId/group-grants/:holderId/remove',
  '/console/orgs/:orgId/projects/:projectId/members/:holderId/remove',
  '/console/orgs/:orgId/projects/:projectId/remove',
  '/console/orgs/:orgId/projects/:projectId/roles/:roleKey/remove',
  '/console/orgs/:orgId/remove',
  '/console/orgs/:orgId/service-users/:id/active',
  '/console/orgs/:orgId/service-users/:id/federated-credentials/:credentialId/remove',
  '/console/orgs/:orgId/service-users/:id/keys/:credentialId/remove',
  '/console/orgs/:orgId/service-users/:id/remove',
  '/console/orgs/:orgId/service-users/:id/secrets/:credentialId/remove',
  '/console/orgs/:orgId/service-users/:id/tokens/:credentialId/remove',
  '/console/orgs/:orgId/settings/domains/:domainName/change',
  '/console/orgs/:orgId/settings/domains/:domainName/proof',
  '/console/orgs/:orgId/settings/domains/:domainName/proof/check',
  '/console/orgs/:orgId/settings/domains/:domainName/remove',
  '/console/orgs/:orgId/settings/grants/:clientId/remove',
  '/console/orgs/:orgId/settings/logo/remove',
  '/console/orgs/:orgId/settings/members/:membershipId/remove',
  '/console/orgs/:orgId/settings/migration/remove',
  '/console/orgs/:orgId/settings/migration/pepper/remove',
  '/console/orgs/:orgId/settings/schemas/remove',
  '/console/orgs/:orgId/settings/sign-in-policy/trials/:jobId/cancel',
  '/console/orgs/:orgId/users/actions',
  '/console/orgs/:orgId/settings/schemas/attribute/remove',
  '/console/orgs/:orgId/users/:userId/consents/:clientId/revoke',
  '/console/orgs/:orgId/users/:userId/roles/give-instance',
  '/console/orgs/:orgId/users/:userId/deactivate',
  '/console/orgs/:orgId/users/:userId/delete',
  '/console/orgs/:orgId/users/:userId/groups/:groupId/leave',
  '/console/orgs/:orgId/users/:userId/identities/:connectionId/remove',
  '/console/orgs/:orgId/users/:userId/passkeys/:passkeyId/remove',
  '/console/orgs/:orgId/users/:userId/reactivate',
  '/console/orgs/:orgId/users/:userId/require-password-change',
  '/console/orgs/:orgId/users/:userId/roles/:membershipId/take',
  '/console/orgs/:orgId/users/:userId/second-factor/remove',
  '/console/orgs/:orgId/users/:userId/sessions/:sessionId/end',
  '/console/orgs/:orgId/users/:userId/browsers/:browserId/forget',
  '/console/orgs/:orgId/users/:userId/sessions/end',
  '/console/orgs/:orgId/users/:userId/unlock',
  '/console/orgs/:orgId/users/many/:kept/run',
  '/console/orgs/:orgId/users/many/jobs/:jobId/links',
  '/console/service/keys/:kid/remove',
  '/console/service/roles/:id/remove',
  '/console/sign-out',
];

/** Forms that no page of this test shows: nobody is chosen or locked out, nothing runs, no file is kept, no key is retired, nothing is granted. */
const unseen = [
  '/console/orgs/:orgId/applications/actions',
  '/console/orgs/:orgId/groups/actions',
  '/console/orgs/:orgId/users/actions',
  '/console/migration/jobs/:id/cancel',
  '/console/orgs/:orgId/applications/:id/call',
  '/console/orgs/:orgId/applications/:id/project',
  '/console/orgs/:orgId/settings/grants/:clientId/remove',
  // The people of the organization have no remembered browser. test/integration/console/users.test.ts has one forgotten.
  '/console/orgs/:orgId/users/:userId/browsers/:browserId/forget',
  '/console/orgs/:orgId/settings/sign-in-policy/trials/:jobId/cancel',
  '/console/orgs/:orgId/users/:userId/consents/:clientId/revoke',
  // The proof of no domain has begun.
  '/console/orgs/:orgId/settings/domains/:domainName/proof/check',
  // The people of the organization have no passkey. test/integration/console/users.test.ts removes one.
  '/console/orgs/:orgId/users/:userId/passkeys/:passkeyId/remove',
  '/console/orgs/:orgId/users/:userId/unlock',
  '/console/orgs/:orgId/users/many/:kept/run',
  '/console/orgs/:orgId/users/many/jobs/:jobId/links',
  '/console/service/keys/:kid/remove',
];

let opened: TestApp | undefined;
const routes = (
  await recordRoutes(async () => {
    opened = await buildTestApp(t);
  })
).filter(({ console }) => console !== undefined);
if (opened === undefined) throw new Error('There is no application');
const { app, container } = opened;
const pathsOf = (method: string) =>
  routes.flatMap(({ route, ...facts }) =>
    route.startsWith(`${method} `) ? [{ path: route.slice(method.length + 1), ...facts }] : [],
  );
const pages = pathsOf('GET');
const forms = pathsOf('POST');

const full = await makeFullOrganization(container);
const { orgId, people, group } = full;
await putMigrationHook(container, { orgId, url: 'https://hook.example/confirm', editor: testEditor });
await putPasswordPepper(container, { orgId, pepper: 'old salt', editor: testEditor });
await storeConnection(container, orgId, {});
await storeConnection(container, orgId, { name: 'Later', enabled: false });
await addSamlConnection(
  opened,
  { orgId, owner: await makeCaller(container, orgId, ['ORG_OWNER']) },
  createHostileSamlProvider(() => new Date()),
);
await addSetupLink(container, { orgId, steps: ['connection'], editor: testEditor });
const home = await makeHome(container, { name: 'Home' });
const root = await openConsole({ app, container }, home, { roles: ['IAM_OWNER'] });
const acme = `/console/orgs/${orgId}`;

type TestedForm = {
  readonly path: string;
  readonly form: ConsoleForm;
  readonly streamed: true | undefined;
};

/** A form in a page, with what its fields have. */
interface Found {
  readonly page: string;
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly kind: string;
  readonly isSecret: boolean;
  /** What it would send. Undefined if it sends nothing. */
  readonly value: string | undefined;
  /** What it can send, if it is a choice. */
  readonly choices: readonly string[];
}

const plain = (text = '') =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const local = (address: string) => address.replace(container.config.baseUrl, '');

function fieldsOf(body: string): Field[] {
  const attribute = (tag: string, name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]);
  const parts = body.matchAll(
    /(<input [^>]*>)|(<textarea [^>]*>)([^<]*)<\/textarea>|(<select [^>]*>)(.*?)<\/select>/gs,
  );
  return [...parts].flatMap(([, input, textarea, text, select, options = '']): Field[] => {
    const tag = input ?? textarea ?? select ?? '';
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type');
    const isSecret = /^(?:password|file)$/.test(type) || /\bmasked\b/.test(attribute(tag, 'class'));
    if (type === 'hidden') return [];
    if (textarea !== undefined)
      return [{ name, kind: 'textarea', isSecret, value: plain(text), choices: [] }];
    if (select !== undefined) {
      const tags = options.match(/<option [^>]*>/g) ?? [];
      const choices = tags.map((option) => attribute(option, 'value'));
      const chosen = Math.max(
        0,
        tags.findIndex((option) => / selected(?=[ >])/.test(option)),
      );
      return [{ name, kind: 'select', isSecret, value: choices[chosen], choices }];
    }
    const value = attribute(tag, 'value');
    if (type !== 'checkbox' && type !== 'radio') return [{ name, kind: type, isSecret, value, choices: [] }];
    const isOn = / checked(?=[ >])/.test(tag);
    return [{ name, kind: type, isSecret, value: isOn ? value : undefined, choices: [value] }];
  });
}

function formsIn({ text, url }: Seen): Found[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', body = '']) => ({
      page: url,
      action: local(plain(action)),
      hidden: Object.fromEntries(
        [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value]) => [name, plain(value)],
        ),
      ),
      fields: fieldsOf(body),
    }),
  );
}

/** The labels of the buttons that send the forms to an address. */
function labelsOf(text: string, action: string): string[] {
  const sent = [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].flatMap(
    ([, to, body = '']) => (local(plain(to)) === action ? [body] : []),
  );
  return [
    ...new Set(
      sent.flatMap((body) =>
        [...body.matchAll(/<button type="submit"[^>]*>([^<]*)</g)].map(([, label = '']) => label),
      ),
    ),
  ];
}

/** Whether a path is one of a route. A route without a parameter at a place goes before one with it. */
function patternOf(known: readonly { path: string }[], address: string): string | undefined {
  const [path = ''] = address.split('?');
  const matching = known.filter((one) => new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(path));
  return matching.sort((a, b) => a.path.split(':').length - b.path.split(':').length)[0]?.path;
}

/** Every form that the links of the console lead to. A few pages of each kind are enough. */
async function crawl(): Promise<Map<string, Found[]>> {
  const found = new Map<string, Found[]>();
  const visited = new Map<string, number>();
  const seen = new Set<string>();
  const own = `/console/orgs/${home.id}/users/${root.person.id}`;
  const queue = [
    '/console',
    `${acme}/settings`,
    `${acme}/users/${people.full.id}`,
    `${acme}/users/${people.full.id}/roles?group=Nobody`,
    `${acme}/users/${people.plain.id}`,
    `${acme}/groups/${group.id}?user=bare`,
    `${acme}/service-users/${full.machine.id}`,
    `${acme}/applications/${full.web.id}`,
    `${acme}/applications/${full.api.id}`,
    `${acme}/projects/${full.project.id}`,
    `${acme}/applications/new?type=web`,
    `${own}/sessions`,
    '/console/service',
    '/console/migration/import',
    '/console/migration/export',
    '/console/orgs',
    '/console/orgs/new',
  ];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const kind = patternOf(pages, address);
    if (kind === undefined || seen.has(address)) continue;
    seen.add(address);
    const times = visited.get(kind) ?? 0;
    if (times >= 5) continue;
    visited.set(kind, times + 1);
    const page = await root.get(address);
    if (page.status !== 200) continue;
    for (const form of formsIn(page)) {
      const of = patternOf(forms, form.action) ?? form.action;
      found.set(of, [...(found.get(of) ?? []), form]);
    }
    const links = [...page.text.matchAll(/ href="([^"]*)"/g)].map(([, href]) => local(plain(href)));
    queue.push(
      ...links.filter((link) => link.startsWith(acme) || /^\/console\/(?:service|migration)/.test(link)),
    );
  }
  return found;
}

// Before the first test: tap ends when nothing waits after a test.
const found = await crawl();

t.test('every form stands in one list, and declares a page that exists', async (t) => {
  t.strictSame(
    forms.map(({ path }) => path).sort(),
    [...Object.keys(returning), ...givingOrSecret, ...buttons].sort(),
  );
  for (const { path, form } of forms) {
    t.strictSame(form?.returns, returning[path] ?? 'nothing', path);
    const page = form?.shownAt ?? '';
    t.ok(
      pages.some((one) => one.path === page),
      `${path}: ${page}`,
    );
    const parameters = (pattern: string): string[] => pattern.match(/:\w+/g) ?? [];
    for (const name of parameters(page)) t.ok(parameters(path).includes(name), `${path}: ${name}`);
  }
});

t.test('the links of the console lead to every form', async (t) => {
  const missing = forms.map(({ path }) => path).filter((path) => !found.has(path));
  t.strictSame(missing.sort(), [...unseen].sort());
  t.strictSame(
    [...found.keys()].filter((path) => !forms.some((form) => form.path === path)),
    [],
    'each form leads to a route',
  );
});

/** The access token ends, and with it the session of the console. The browser stays signed in, so no password is asked for. */
async function endSession(): Promise<void> {
  const cookie = [...root.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const session = readConsoleSession(container, { headers: { cookie } } as never);
  if (session === undefined) throw new Error('Nobody is signed in');
  await app.inject({
    method: 'POST',
    url: '/oauth/v2/revoke',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token: session.accessToken, client_id: 'muster-console' }).toString(),
  });
}

/** Another value for a field, where it can have one. */
function otherValue({ kind, value, choices }: Field, index: number): string | undefined {
  if (kind === 'select') return choices.at(-1);
  if (kind === 'checkbox') return value === undefined ? choices[0] : undefined;
  if (kind === 'radio') return choices[0];
  if (kind === 'number') return String(40 + index);
  if (kind === 'date') return '2031-02-03';
  return kind === 'textarea' ? `typed ${index}\n"second" <line>` : `typed-"${index}"-<b>`;
}

for (const { path, form, streamed } of forms) {
  if (unseen.includes(path) || form === undefined) continue;
  const shown = (found.get(path) ?? []).filter(({ page }) => patternOf(pages, page) === form.shownAt);
  t.ok(shown.length > 0, `${path} is at ${form.shownAt}`);
  // A page may have several forms of a route, such as the parts of the settings.
  const kinds = new Map(shown.map((one) => [one.action, one]));
  const tested = form.returns === 'nothing' ? shown.slice(0, 1) : [...kinds.values()].slice(0, 6);
  for (const first of tested) testForm({ path, form, streamed }, first);
}

function testForm({ path, form, streamed }: TestedForm, first: Found): void {
  t.test(`POST ${first.action.replace(orgId, ':orgId')}`, async (t) => {
    const { returns } = form;
    /** A search offers the button. The page has none before the search. */
    const isOffered = path.endsWith('/join') || path.endsWith('/add');
    const left = typeof returns === 'object' ? returns.allBut : [];
    const secret = first.fields.filter(
      ({ name, isSecret, choices, kind }) =>
        isSecret ||
        (choices.length === 0 && kind !== 'date' && /password|secret|token|credential|key/i.test(name)),
    );
    if (returns !== 'nothing')
      for (const { name } of secret) t.ok(left.includes(name), `${name} does not come back`);
    if (streamed) return;

    const page = await root.follow(await root.get(first.page));
    const [now] = formsIn(page).filter(({ action }) => action === first.action);
    if (now === undefined) throw new Error(`The form has gone: ${page.url}`);
    // Of radio buttons with one name, the last is chosen.
    const typed = new Map(now.fields.map((field, index) => [field.name, otherValue(field, index)] as const));
    const sent = Object.fromEntries(
      [...typed].flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value.replaceAll('\n', '\r\n')]],
      ),
    );
    await endSession();
    const asked = await root.post(now.action, { ...now.hidden, ...sent });
    t.match(asked, { status: 303, location: /^\/oauth\/v2\/authorize/ }, 'the person signs in');
    const seen = await root.follow(asked);
    t.equal(seen.status, 200);
    t.equal(patternOf(pages, seen.url), form.shownAt, 'and is back at the page');
    if (form.query !== undefined) t.equal(seen.url, first.page, 'with the same object');
    t.match(seen.text, 'You had to sign in again', 'which says so');
    if (path !== '/console/sign-out' && !isOffered && labelsOf(page.text, now.action).length === 1)
      t.match(seen.text, `so this was not done: <strong>${labelsOf(page.text, now.action)[0]}</strong>`);
    const same = formsIn(seen).filter(({ action }) => action === now.action);
    const [again] = same;
    if (isOffered) return;
    if (again === undefined) throw new Error(`The form has gone: ${seen.url}`);
    if (returns === 'nothing') {
      t.strictSame(again.fields, now.fields, 'nothing is filled in');
      t.notMatch(seen.text, 'typed-&quot;');
      return;
    }
    t.equal(same.length, 1, 'it is clear which form it is');
    for (const field of again.fields) {
      if (left.includes(field.name) && field.kind === 'radio') t.equal(field.value, undefined, field.name);
      else if (left.includes(field.name)) t.equal(field.value, '', field.name);
      else if (field.choices.length > 0 && field.kind !== 'select')
        t.equal(field.value !== undefined, typed.get(field.name) === field.choices[0], field.name);
      else t.equal(field.value?.replaceAll('\r\n', '\n'), typed.get(field.name), field.name);
    }
    const formerly = Object.entries(now.hidden).filter(([name]) => name !== 'csrf');
    for (const [name, value] of formerly) t.equal(again.hidden[name], value, name);
  });
}
