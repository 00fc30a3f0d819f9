import t from 'tap';
import { shownSettings } from '#src/admin/service.routes.js';
import { settings } from '#src/config.js';
import { consoleTexts } from '#src/console/texts/texts.js';
import { roles } from '#src/directory/roles.js';
import { languages } from '#src/http/base/language.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** The page of the service: health, keys, features and owners. */

const opened = await buildTestApp(t);
const { container, call } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
const path = '/console/service';

t.test('it shows versions, health, queue, and settings without a secret', async (t) => {
  const seen = await owner.get(path);
  t.equal(seen.status, 200);
  t.match(seen.text, `href="${container.config.baseUrl}/docs/api"`);
  for (const text of ['MongoDB', 'Redis', process.versions.node, 'MUSTER_RATE_LIMIT_PER_CLIENT'])
    t.match(seen.text.replaceAll('<wbr>', ''), text);
  t.ok(seen.text.length < 80_000, `${seen.text.length} characters`);
  for (const name of shownSettings) t.notOk('secret' in settings[name], name);
  const caller = await makeCaller(container, home.id, ['IAM_OWNER']);
  const { status, body } = await call('GET /admin/v1/service', { as: caller });
  t.equal(status, 200);
  t.match(body, { checks: { mongodb: true, redis: true, jobQueue: true }, versions: { muster: /^\d+\./ } });
  const text = JSON.stringify(body);
  for (const { env, secret } of Object.values<{ env: string; secret?: true }>(settings))
    if (secret) t.notMatch(text, env);
  t.notMatch(text, container.config.masterKeys);
});

t.test('people of another language read nothing in English', async (t) => {
  const german = await openConsole(opened, home, {
    roles: ['IAM_OWNER'],
    profile: { preferredLanguage: 'de' },
  });
  const seen = await german.get(path);
  t.match(seen.text.replaceAll('<wbr>', ''), 'MUSTER_RATE_LIMIT_PER_CLIENT');
  t.match(seen.text, 'href="https://muster.example/docs/configuration" hreflang="en"');
  t.notMatch(seen.text, settings.rateLimitPerClient.about);
  t.match((await owner.get(path)).text, settings.rateLimitPerClient.about);
  t.equal((await german.get('/docs/configuration')).status, 200);
});

t.test('keys change, and a retired key is removed by typing its identifier', async (t) => {
  const before = await owner.get(path);
  await owner.follow(await owner.fill(before, { alg: '', force: 'on' }, '/console/service/keys/rotate'));
  const after = await owner.get(path);
  const link = /href="([^"]*\/console\/service\/keys\/[^"]+\/remove)"/.exec(after.text)?.[1] ?? '';
  const action = link.replace(container.config.baseUrl, '');
  const confirm = await owner.get(link);
  const wrong = await owner.fill(confirm, { confirmed: 'another' }, action);
  t.equal(wrong.status, 400);
  const kid = decodeURIComponent(/keys\/([^/]+)\/remove/.exec(link)?.[1] ?? '');
  const done = await owner.follow(await owner.fill(confirm, { confirmed: kid }, action));
  t.equal(done.status, 200);
  t.match(done.text, 'Removed.');
  t.notMatch(done.text, link);
  t.equal((await owner.get('/console/service/keys/unknown/remove')).status, 404);
});

t.test('it says what signs by default, and which keys are not published', async (t) => {
  const { text } = await owner.get(path);
  t.match(text, /Signs by default<\/dt><dd>RS256</);
  t.notMatch(text, 'Set, but not known');
  t.ok(
    (text.match(/not published<\/span>/g)?.length ?? 0) >= 4,
    'the active and the next one of two algorithms',
  );
});

t.test('a rotation that comes too early says why', async (t) => {
  const refused = await owner.fill(await owner.get(path), { alg: '' }, '/console/service/keys/rotate');
  t.equal(refused.status, 409);
  t.match(refused.text, /role="alert"/);
});

t.test('token exchange is turned on and off', async (t) => {
  const saved = await owner.follow(
    await owner.fill(await owner.get(path), { tokenExchange: 'on' }, '/console/service/features'),
  );
  t.match(saved.text, 'Saved.');
  t.equal((await container.features.get()).tokenExchange, true);
  const hidden = /action="[^"]*\/console\/service\/features"[\s\S]*?name="csrf" value="([^"]+)"/.exec(
    saved.text,
  )?.[1];
  await owner.post('/console/service/features', { csrf: hidden ?? '' });
  t.equal((await container.features.get()).tokenExchange, false);
});

t.test('owners are made and unmade; the last one stays', async (t) => {
  const anna = await makePerson(container, home);
  const unknown = await owner.fill(await owner.get(path), { userId: 'nobody' }, '/console/service/roles');
  t.ok([400, 404].includes(unknown.status), `${unknown.status}`);
  t.match(unknown.text, 'value="nobody"', 'what was typed is kept');
  const given = await owner.follow(
    await owner.fill(await owner.get(path), { userId: anna.id }, '/console/service/roles'),
  );
  t.match(given.text, anna.displayName);
  const roles = (await container.memberships.page(undefined, { limit: 100 })).filter(
    ({ userId }) => userId === anna.id,
  );
  const action = `/console/service/roles/${roles[0]?.id}/remove`;
  const confirm = await owner.get(action);
  t.equal((await owner.fill(confirm, { confirmed: 'x' }, action)).status, 400);
  const taken = await owner.follow(await owner.fill(confirm, { confirmed: anna.id }, action));
  t.match(taken.text, 'Removed.');
  t.notMatch(taken.text, anna.id);
});

t.test('an owner is made by login name or address, and a name of several people asks which', async (t) => {
  const other = await makeHome(container, { name: 'Other & Co' });
  const action = '/console/service/roles';
  const give = async (userId: string) =>
    owner.follow(await owner.fill(await owner.get(path), { userId }, action));
  const rolesOf = async (id: string) =>
    (await container.memberships.page(undefined, { limit: 100 })).filter(({ userId }) => userId === id)
      .length;
  const [byName, byAddress] = [await makePerson(container, other), await makePerson(container, other)];
  t.equal((await give(` ${byName.userName.toUpperCase()} `)).status, 200);
  t.equal(await rolesOf(byName.id), 1, 'the login name of a person of another organization');
  await give(byAddress.emails[0]?.value ?? '');
  t.equal(await rolesOf(byAddress.id), 1, 'the address');
  const take = async (userId: string, confirmed: string) => {
    const held = (await container.memberships.page(undefined, { limit: 100 })).find(
      (one) => one.userId === userId,
    );
    const removal = `${action}/${held?.id}/remove`;
    return owner.fill(await owner.get(removal), { confirmed }, removal);
  };
  const otherName = await take(byName.id, byAddress.userName);
  t.match(otherName, { status: 400, text: byName.userName }, 'the name of somebody else takes nothing');
  t.equal((await take(byName.id, ` ${byName.userName.toUpperCase()} `)).status, 303, 'by the login name');
  t.equal((await take(byAddress.id, byAddress.emails[0]?.value ?? '')).status, 303, 'by the address');
  t.equal((await rolesOf(byName.id)) + (await rolesOf(byAddress.id)), 0);
  const twins = [
    await makePerson(container, home, { userName: 'twin' }),
    await makePerson(container, other, { userName: 'twin' }),
  ];
  const asked = await give('twin');
  t.equal(asked.status, 409);
  t.match(asked.text, 'Several people have this login name');
  for (const { id } of twins) {
    t.match(asked.text, `<option value="${id}"`);
    t.equal(await rolesOf(id), 0, 'nobody is chosen by chance');
  }
  t.match(asked.text, 'Anna Lind · twin · Other &amp; Co');
  await owner.fill(asked, { userId: twins[1]?.id ?? '' }, action);
  t.equal(await rolesOf(twins[1]?.id ?? ''), 1);
  const nobody = await give('nobody@nowhere.example');
  t.match(nobody.text, 'Nobody has this login name, address or identifier here.');
});

t.test('a role has one name on every page, in every language', async (t) => {
  const group = await addGroup(container, {
    orgId: home.id,
    profile: { displayName: 'Team' },
    members: new Set(),
    editor: testEditor,
  });
  const base = `/console/orgs/${home.id}`;
  const pages = [
    path,
    `${base}/settings/members`,
    `${base}/service-users/new`,
    `${base}/users/${owner.person.id}/roles`,
    `${base}/groups/${group.id}`,
    `${base}/log?type=roles`,
  ];
  const caller = await makeCaller(container, home.id, ['ORG_OWNER', 'IMPERSONATOR', 'ORG_USER_VIEWER']);
  for (const language of languages) {
    const person = await openConsole(opened, home, { roles: ['IAM_OWNER', 'ORG_USER_MANAGER'], language });
    const names = consoleTexts[language].roles;
    for (const page of pages) {
      const { status, text } = await person.get(page);
      t.equal(status, 200, page);
      // The details of an event show it as the API has it.
      const shown = text
        .replace(/<details><summary>[^<]*<\/summary><p.*?<\/details>/gs, '')
        .replace(/<[^>]*>/g, ' ');
      for (const role of roles) t.notMatch(shown, new RegExp(`\\b${role}\\b`), `${language} ${page}`);
      const wanted = page === path ? names.IAM_OWNER : names.ORG_OWNER;
      t.match(text.replaceAll('&#39;', "'"), wanted, `${language} ${page}`);
    }
  }
  t.ok(caller.id);
});

t.test('an owner of an organization has no page of the service', async (t) => {
  const other = await makeHome(container, { name: 'Other' });
  const theirs = await openConsole(opened, other, { roles: ['ORG_OWNER'] });
  t.equal((await theirs.get(path)).status, 403);
});
