import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { newId } from '#src/platform/ids.js';
import { makeAdministrator } from '../../support/app/administrators.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { giveTotp, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';

/** The start page says to each person what concerns it. */

const opened = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { app, container, call } = opened;
const home = await makeHome(container, { name: 'Acme' });

t.test('an owner of the instance sees events, jobs and what needs attention', async (t) => {
  const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const anna = await makePerson(container, home);
  for (let attempt = 0; attempt < container.config.loginMaxFailures; attempt++) {
    const visitor = visit(app, container, { address: `198.51.100.${attempt + 1}` });
    await visitor.fill(await visitor.get('/login'), { loginName: anna.userName, password: 'wrong' });
  }
  const ids = { running: newId(), failed: newId() };
  for (const id of Object.values(ids)) {
    const about = { id, kind: 'import', orgId: '*', requestedBy: 'x', total: 3 } as const;
    await container.jobs.insert({ ...about, created: container.clock.now(), body: Buffer.from('{}') });
  }
  await container.jobs.end(ids.failed, 'failed');
  const { status, text } = await owner.get('/console');
  t.equal(status, 200);
  t.match(text, `Hello, ${owner.person.displayName}`);
  t.match(text, `Locked: <a href="${container.config.baseUrl}/console/orgs/${home.id}/users/${anna.id}">`);
  t.match(text, `Failed job: <a href="${container.config.baseUrl}/console/migration/jobs/${ids.failed}">`);
  t.match(text, `/console/migration/jobs/${ids.running}`);
  t.match(text, 'is locked after too many failed attempts');
});

t.test('an owner of an organization sees its secrets that expire, and nothing of others', async (t) => {
  const other = await makeHome(container, { name: 'Other' });
  const theirs = await openConsole(opened, other, { roles: ['ORG_OWNER'] });
  const [own, foreign] = [await makeCaller(container, other.id), await makeCaller(container, home.id)];
  const expires = new Date(container.clock.now().getTime() + 5 * 24 * 3600 * 1000);
  for (const [orgId, id] of [
    [other.id, own.id],
    [home.id, foreign.id],
  ] as const) {
    const caller = await makeCaller(container, orgId, ['ORG_OWNER']);
    const path = `/admin/v1/orgs/${orgId}/service-users/${id}/secrets`;
    const added = await call(`POST ${path}`, { as: caller, body: { expires: expires.toISOString() } });
    t.equal(added.status, 201, JSON.stringify(added.body));
  }
  const { text } = await theirs.get('/console');
  t.match(text, `/console/orgs/${other.id}/service-users/${own.id}`);
  t.notMatch(text, foreign.id);
  t.notMatch(text, home.id);
});

t.test('the console speaks the language of the browser, unless the person chose one', async (t) => {
  const told = async (profile: { preferredLanguage?: string }, language: string) => {
    const seen = await openConsole(opened, home, { roles: ['ORG_OWNER'], profile, language });
    return /<html lang="(\w+)">/.exec((await seen.get('/console')).text)?.[1];
  };
  t.equal(await told({}, 'de-CH, en;q=0.5'), 'de');
  t.equal(await told({}, 'pt'), 'en', 'no page is Portuguese');
  t.equal(await told({ preferredLanguage: 'en' }, 'de'), 'en', 'English was chosen');
  t.equal(await told({ preferredLanguage: 'fr' }, 'de'), 'fr');
  const caller = await makeAdministrator(opened, home, { roles: ['ORG_OWNER'] });
  t.notOk(
    'preferredLanguage' in (await call('GET /admin/v1/me', { as: caller })).body,
    'the API assumes none',
  );
});

t.test('a person without a role is told so, and is led to the account', async (t) => {
  const person = await openConsole(opened, home);
  const { text } = await person.get('/console');
  t.match(text, 'You have no role here');
  t.match(text, '/account"');
});

t.test('a manager of users is led to them', async (t) => {
  const person = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  const { status, text } = await person.get('/console');
  t.equal(status, 200);
  t.match(text, `/console/orgs/${home.id}/users`);
});

t.test('an owner of several organizations finds the way to each', async (t) => {
  const [first, second] = [
    await makeHome(container, { name: 'First' }),
    await makeHome(container, { name: 'Second' }),
  ];
  const theirs = await openConsole(opened, first, { roles: ['ORG_OWNER'] });
  t.notMatch(
    (await theirs.get('/console')).text,
    'You may see or manage the users of:',
    'not for a single one',
  );
  const userId = theirs.person.id;
  await addMembership(container, { userId, role: 'ORG_OWNER', orgId: second.id, editor: testEditor });
  const { text } = await theirs.get('/console');
  for (const { id, name } of [first, second]) {
    t.match(
      text,
      `<a href="${container.config.baseUrl}/console/orgs/${id}/users">Users</a> <code>${name}</code>`,
    );
  }
});

t.test('a new organization is told its first steps, until they are done', async (t) => {
  const fresh = await makeHome(container, { name: 'Fresh' });
  const owner = await openConsole(opened, fresh, { roles: ['ORG_OWNER'] });
  const viewer = await openConsole(opened, await makeHome(container), { roles: ['ORG_USER_VIEWER'] });
  t.notMatch((await viewer.get('/console')).text, 'First steps', 'only an owner does them');
  const pages = `${container.config.baseUrl}/console/orgs/${fresh.id}`;
  const steps = async () => {
    const { text } = await owner.get('/console');
    const [, list = ''] = /id="first-steps">(.*?)<\/section>/s.exec(text) ?? [];
    return { open: [...list.matchAll(/href="([^"]*)"/g)].map(([, href]) => href), isShown: list !== '' };
  };
  const [people, application, second, factor] = [
    `${pages}/users/new`,
    `${pages}/applications/new`,
    `${pages}/settings/members`,
    `${container.config.baseUrl}/account`,
  ];
  t.same((await steps()).open, [people, application, second, factor]);

  const other = await makePerson(container, fresh, { active: false });
  t.same((await steps()).open, [application, second, factor]);
  await addMembership(container, {
    userId: other.id,
    role: 'ORG_OWNER',
    orgId: fresh.id,
    editor: testEditor,
  });
  t.same((await steps()).open, [application, second, factor], 'an owner who cannot sign in does not count');
  const as = await makeCaller(container, fresh.id, ['ORG_OWNER']);
  t.same((await steps()).open, [application, second, factor], 'a program is no second person');
  await call(`PATCH /scim/v2/${fresh.id}/Users/${other.id}`, {
    as,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: true }],
    },
  });
  t.same((await steps()).open, [application, factor]);
  const body = { name: 'Tickets', type: 'spa', redirectUris: ['https://tickets.example/'] };
  t.equal((await call(`POST /admin/v1/orgs/${fresh.id}/applications`, { as, body })).status, 201);
  t.same((await steps()).open, [factor]);
  await giveTotp(container, owner.person);
  t.same(await steps(), { open: [], isShown: false }, 'all is done');
});
