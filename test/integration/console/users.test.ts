import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { rememberBrowser } from '#src/authentication/remembered-browsers/index.js';
import { localeChoices } from '#src/console/users/locale-choices.js';
import type { User } from '#src/directory/user.js';
import { requireLanguageTag, requireTimeZone } from '#src/directory/value-rules.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { putExtensionSchema } from '#src/people/extension-schemas/change-extension-schemas.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { setUserMetadata } from '#src/people/metadata/set-user-metadata.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { type Seen, visit } from '../../support/oidc/visitor.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';
import { badgeSchema, badgeUrn, extensionAttribute } from '../../support/scim/extension-schema.js';

/** The pages of users, as owners, managers and viewers see them. */

const mailServer = await startMailServer(t);
const opened = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  loginMaxFailures: 3,
  smtpUrl: mailServer.url,
});
const { app, container, clock } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const manager = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
const viewer = await openConsole(opened, home, { roles: ['ORG_USER_VIEWER'] });
const users = `/console/orgs/${home.id}/users`;
const pathOf = ({ id }: User) => `${users}/${id}`;
const stored = async ({ id }: User) => container.users.find(home.id, id);

/** Fills in the form of the page itself. The menu has a form too. */
const submit = (user: ConsoleUser, page: Seen, fields: Record<string, string>) =>
  user.fill(page, fields, page.url.split('?')[0]);

/** Somebody else changes the profile. */
const change = ({ id }: User, profile: Partial<User>) =>
  changeUser(container, {
    organization: home,
    id,
    editor: { userId: manager.person.id, service: 'scim' },
    change: (current) => ({ profile: { ...asInput(current), ...profile } }),
  });

t.test('the list shows users, searches by beginnings, and leads on', async (t) => {
  const anna = await makePerson(container, home, {
    userName: 'zz-anna',
    name: { givenName: 'Zanna', familyName: 'Zorn' },
  });
  await makePerson(container, home, { userName: 'zz-bo', active: false });
  const list = await viewer.get(users);
  t.equal(list.status, 200);
  t.match(list.text, /Acme/);
  t.match(list.text, `href="${container.config.baseUrl}${pathOf(anna)}"`);
  t.notMatch(list.text, /Add a user/, 'a viewer sees no button that the API would refuse');
  t.match((await manager.get(users)).text, /Add a user/);

  t.match((await viewer.get(`${users}?search=ZANNA`)).text, /zz-anna/);
  const inactive = (await viewer.get(`${users}?search=zz&active=false`)).text;
  t.match(inactive, /zz-bo/);
  t.notMatch(inactive, /zz-anna/);
  t.match((await viewer.get(`${users}?search=nobody-at-all`)).text, /Nobody is found/);
  t.equal((await viewer.get(`${users}?after=nonsense`)).status, 400);
});

t.test('nobody opens the pages of an organization out of reach', async (t) => {
  const other = await makeHome(container);
  for (const path of ['', '/new', '/x', '/x/edit'])
    t.equal((await owner.get(`/console/orgs/${other.id}/users${path}`)).status, 403, path);
  const stranger = await makePerson(container, other);
  t.equal((await owner.get(`${users}/${stranger.id}`)).status, 404);
  const instance = await openConsole(opened, await makeHome(container), { roles: ['IAM_OWNER'] });
  t.match(await instance.get(users), { status: 200, text: /Acme/ });
});

t.test('a user is added with a link, which is shown once and works', async (t) => {
  const form = await manager.get(`${users}/new`);
  const typed = {
    userName: 'new.link',
    givenName: 'Nina',
    familyName: 'Nord',
    emails: 'nina@acme.example\r\n\r\nnina@home.example',
    department: 'Sales',
    credential: 'link',
  };
  const added = await submit(manager, form, typed);
  t.equal(added.status, 200);
  t.match(added.text, /The user was added/);
  const [link = ''] = /https:\/\/[^<"]*\/login\/password\?token=[\w-]+/.exec(added.text) ?? [];
  t.match(await visit(app, container).get(link), { status: 200, text: /password/i });
  const { users: found } = await container.userSearch.search(home.id, { text: 'new.link', limit: 2 });
  const user = await container.users.find(home.id, found[0]?.id ?? '');
  t.match(user, {
    displayName: 'Nina Nord',
    department: 'Sales',
    emails: [
      { value: 'nina@acme.example', primary: true },
      { value: 'nina@home.example', primary: false },
    ],
  });

  const again = await submit(manager, form, typed);
  t.equal(again.status, 409);
  t.match(again.text, 'value="Nina"', 'what was typed is kept');
  t.match(again.text, /role="alert"/);
});

t.test('a user is added with a password, which no page repeats', async (t) => {
  const form = await manager.get(`${users}/new`);
  const typed = { userName: 'new.password', credential: 'password' };
  const refused = await submit(manager, form, { ...typed, password: 'short' });
  t.equal(refused.status, 400);
  t.match(refused.text, 'value="new.password"');
  t.notMatch(refused.text, 'short');
  const added = await submit(manager, form, { ...typed, password: goodPassword });
  t.match(added, { status: 303, location: /done=added$/ });
  const person = visit(app, container);
  const signedIn = await person.fill(await person.get('/login'), {
    loginName: 'new.password',
    password: goodPassword,
  });
  t.equal(signedIn.status, 303);
});

t.test('the profile shows attributes of every schema, and metadata', async (t) => {
  const boss = await makePerson(container, home, { name: { givenName: 'Big', familyName: 'Boss' } });
  const user = await makePerson(container, home, {
    title: 'Dr',
    costCenter: '4711',
    manager: boss.id,
    birthdate: '1990-02-03',
    addresses: [{ streetAddress: 'Main Street 1', locality: 'Bern' }],
    entitlements: [{ value: 'parking' }],
  });
  await setUserMetadata(container, {
    orgId: home.id,
    userId: user.id,
    key: 'crm',
    value: Buffer.from('C-77').toString('base64'),
    editor: testEditor,
  });
  const { text } = await owner.get(pathOf(user));
  for (const shown of [
    'Dr',
    '4711',
    'Big Boss',
    '1990-02-03',
    'Main Street 1',
    'parking',
    'crm',
    'C-77',
    user.id,
  ])
    t.match(text, shown);
  const seen = (await viewer.get(pathOf(user))).text;
  t.notMatch(seen, 'C-77', 'metadata is for owners');
  t.notMatch(seen, /<form method="post" action="[^"]*\/users\//);
  t.notMatch(seen, '/log"');
});

t.test('an edit writes the differences, and keeps the kind of a value', async (t) => {
  const user = await makePerson(container, home, {
    title: 'Clerk',
    nickName: 'Nick',
    emails: [
      { value: 'a@acme.example', type: 'work', primary: true },
      { value: 'b@acme.example', type: 'home' },
    ],
  });
  const form = await manager.get(`${pathOf(user)}/edit`);
  const values = fieldsOf(form.text);
  t.match(values, { title: 'Clerk', nickName: 'Nick', emails: 'a@acme.example\nb@acme.example' });
  const saved = await submit(manager, form, {
    ...values,
    title: 'Chief',
    nickName: '',
    emails: 'b@acme.example\na@acme.example\nc@acme.example',
    department: 'Board',
  });
  t.match(saved.location, /done=saved$/);
  const after = await stored(user);
  t.match(after, { title: 'Chief', department: 'Board', version: user.version + 1 });
  t.notOk(after?.nickName);
  t.strictSame(
    after?.emails.map(({ value, type, primary }) => [value, type, primary]),
    [
      ['b@acme.example', 'home', true],
      ['a@acme.example', 'work', false],
      ['c@acme.example', undefined, false],
    ],
  );
  const same = await manager.get(`${pathOf(user)}/edit`);
  await submit(manager, same, fieldsOf(same.text));
  t.equal((await stored(user))?.version, user.version + 1, 'nothing differs, so nothing is written');

  const refused = await submit(manager, same, { ...fieldsOf(same.text), userName: '', title: 'Kept' });
  t.match(refused, { status: 400, text: 'value="Kept"' });
});

t.test(
  'two people edit one profile: the second is told what changed, by whom, and keeps what was typed',
  async (t) => {
    const user = await makePerson(container, home, { title: 'Clerk' });
    const form = await owner.get(`${pathOf(user)}/edit`);
    await change(user, { title: 'Chief' });
    const values = { ...fieldsOf(form.text), title: 'Boss', department: 'Sales' };
    const refused = await submit(owner, form, values);
    t.equal(refused.status, 409);
    for (const shown of ['Clerk', 'Chief', 'value="Boss"', 'value="Sales"', 'Last changed by Anna Lind'])
      t.match(refused.text, shown);
    t.match(await stored(user), { title: 'Chief' });
    const replaced = await owner.fill(refused, fieldsOf(refused.text), `${pathOf(user)}/edit`);
    t.match(replaced.location, /done=saved$/);
    t.match(await stored(user), { title: 'Boss', department: 'Sales' });
  },
);

t.test('a sign-in in the meantime is no conflict', async (t) => {
  const user = await makePerson(container, home, { title: 'Clerk' });
  const form = await owner.get(`${pathOf(user)}/edit`);
  const person = visit(app, container);
  await person.fill(await person.get('/login'), { loginName: user.userName, password: goodPassword });
  const saved = await submit(owner, form, { ...fieldsOf(form.text), title: 'Boss' });
  t.match(saved.location, /done=saved$/);
});

t.test('the sign-in tab says why a user cannot sign in, and unlocks', async (t) => {
  const user = await makePerson(container, home);
  for (let n = 0; n < 3; n++) {
    const person = visit(app, container, { address: `198.51.100.${n}` });
    await person.fill(await person.get('/login'), { loginName: user.userName, password: 'wrong' });
  }
  const tab = `${pathOf(user)}/sign-in`;
  const locked = await manager.get(tab);
  t.match(locked.text, /This user cannot sign in/);
  t.match(locked.text, /Wrong password/);
  t.notMatch((await viewer.get(tab)).text, /Unlock/);
  const unlocked = await manager.follow(await manager.fill(locked, {}, `${pathOf(user)}/unlock`));
  t.match(unlocked.text, /The user is unlocked/);
  t.match(unlocked.text, /This user can sign in/);

  const required = await manager.fill(unlocked, {}, `${pathOf(user)}/require-password-change`);
  t.match((await manager.follow(required)).text, /must be changed at the next sign-in/);
});

t.test('a second factor is removed after its owner was named', async (t) => {
  const user = await makePerson(container, home);
  await giveTotp(container, user);
  const fresh = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  const page = await fresh.get(`${pathOf(user)}/second-factor/remove`);
  const wrong = await fresh.fill(page, { confirmed: 'somebody' }, page.url);
  t.match(wrong, { status: 400, text: /This is not the name/ });
  const removed = await fresh.fill(page, { confirmed: user.userName }, page.url);
  t.match((await fresh.follow(removed)).text, /The second factor was removed/);
});

t.test('remembered browsers are shown, and one is forgotten', async (t) => {
  const signInPolicy = { rememberedBrowserDays: 30 };
  await changeOrganization(container, {
    orgId: home.id,
    change: () => ({ signInPolicy }),
    editor: testEditor,
  });
  const user = await makePerson(container, home);
  const account = await container.accounts.find(home.id, user.id);
  if (account === undefined) throw new Error('The person is gone');
  await rememberBrowser(container, {
    ...{ account, by: 'code', policy: signInPolicy, secret: 's', former: [] },
    device: { browser: 'Firefox', system: 'Windows' },
  });
  const seen = await viewer.get(`${pathOf(user)}/sessions`);
  t.match(seen.text, /Remembered browsers.*Firefox, Windows/s);
  t.notMatch(seen.text, '/forget');
  const page = await manager.get(`${pathOf(user)}/sessions`);
  const [, action = ''] = /action="([^"]*\/browsers\/[^"]*\/forget)"/.exec(page.text) ?? [];
  const done = await manager.follow(
    await manager.fill(page, {}, action.replace(container.config.baseUrl, '')),
  );
  t.match(done.text, /The browser is forgotten/);
  t.notMatch(done.text, /Remembered browsers/);
  t.same(await container.rememberedBrowsers.ofUser(home.id, user.id), []);
  await changeOrganization(container, {
    orgId: home.id,
    change: () => ({ signInPolicy: {} }),
    editor: testEditor,
  });
});

t.test('passkeys are shown, and one is removed after its owner was named', async (t) => {
  const user = await makePerson(container, home);
  const key = await enrolPasskey(container, user, {
    aaguid: Buffer.from('ea9b8d664d011d213ce4b6b48cb575d4', 'hex'),
  });
  t.match((await viewer.get(`${pathOf(user)}/sign-in`)).text, /Passkeys.*Google Password Manager/s);
  t.notMatch((await viewer.get(`${pathOf(user)}/sign-in`)).text, /Remove the passkey/);
  const fresh = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  const tab = await fresh.get(`${pathOf(user)}/sign-in`);
  t.match(tab.text, new RegExp(`passkeys/${key.id}/remove`));
  const page = await fresh.get(`${pathOf(user)}/passkeys/${key.id}/remove`);
  const wrong = await fresh.fill(page, { confirmed: 'somebody' }, page.url);
  t.match(wrong, { status: 400, text: /This is not the name/ });
  const removed = await fresh.fill(page, { confirmed: user.userName }, page.url);
  t.match((await fresh.follow(removed)).text, /The passkey was removed/);
  t.same(await container.webauthnCredentials.findMany(home.id, [user.id]), []);
  const again = await fresh.fill(page, { confirmed: user.userName }, page.url);
  t.equal(again.status, 404);
});

t.test('sessions are shown and ended, one and all', async (t) => {
  const user = await makePerson(container, home);
  for (let n = 0; n < 3; n++) {
    const person = visit(app, container);
    await person.fill(await person.get('/login'), { loginName: user.userName, password: goodPassword });
  }
  const tab = await manager.get(`${pathOf(user)}/sessions`);
  t.match(tab.text, /<th[^>]*>Device<\/th>/);
  const [first] = await container.sessions.ofUser(user.id);
  await manager.fill(tab, {}, `${pathOf(user)}/sessions/${first?.id}/end`);
  t.equal((await container.sessions.ofUser(user.id)).length, 2);
  t.notMatch((await viewer.get(`${pathOf(user)}/sessions`)).text, /<form method="post" action="[^"]*end"/);
  const ended = await manager.follow(await manager.fill(tab, {}, `${pathOf(user)}/sessions/end`));
  t.match(ended.text, /All sessions have ended/);
  t.match(ended.text, /signed in nowhere/);
});

t.test('a user is deactivated and active again', async (t) => {
  const user = await makePerson(container, home);
  const off = await manager.fill(await manager.get(pathOf(user)), {}, `${pathOf(user)}/deactivate`);
  const page = await manager.follow(off);
  t.match(page.text, /cannot sign in/);
  t.match(await stored(user), { active: false });
  await manager.fill(page, {}, `${pathOf(user)}/reactivate`);
  t.match(await stored(user), { active: true });
});

t.test('a user joins and leaves groups, and gets and loses roles', async (t) => {
  const user = await makePerson(container, home);
  const fresh = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const group = await addGroup(container, {
    orgId: home.id,
    profile: { displayName: 'Tennis "club" <b>' },
    members: new Set<string>(),
    editor: testEditor,
  });
  const tab = `${pathOf(user)}/roles`;
  const offered = await fresh.get(`${tab}?group=${encodeURIComponent('tennis "')}`);
  t.match(offered.text, 'Tennis &quot;club&quot; &lt;b&gt;');
  const joined = await fresh.follow(await fresh.fill(offered, {}, `${pathOf(user)}/groups/${group.id}/join`));
  t.match(joined.text, /is a member of the group/);
  t.match(joined.location ?? joined.url, /group=/, 'the search stays');
  t.ok((await container.groupMembers.among(home.id, group.id, [user.id])).has(user.id));
  await fresh.fill(joined, {}, `${pathOf(user)}/groups/${group.id}/leave`);
  t.notOk((await container.groupMembers.among(home.id, group.id, [user.id])).has(user.id));

  const given = await fresh.fill(joined, { role: 'ORG_USER_VIEWER' }, `${pathOf(user)}/roles/give`);
  t.match(given.location, /done=roleGiven/);
  const [held] = await container.memberships.ofUser(user.id);
  t.match(held, { role: 'ORG_USER_VIEWER', orgId: home.id });
  const page = await fresh.follow(given);
  const taking = `${pathOf(user)}/roles/${held?.id}/take`;
  t.match(page.text, `href="${taking.replace(/^/, container.config.baseUrl)}?scope=organization"`);
  const asked = await fresh.get(`${taking}?scope=organization`);
  t.match(asked.text, /loses the role “User viewer” at once/);
  t.notMatch(asked.text, /your own role/);
  t.match(await fresh.fill(asked, { confirmed: 'somebody' }, taking), { status: 400 });
  t.equal((await container.memberships.ofUser(user.id)).length, 1, 'it asks first');
  t.match((await fresh.fill(asked, { confirmed: user.userName }, taking)).location, /done=roleTaken/);
  t.same(await container.memberships.ofUser(user.id), []);
  t.equal((await fresh.fill(page, { role: 'IAM_OWNER' }, `${pathOf(user)}/roles/give`)).status, 403);
  t.notMatch((await manager.get(tab)).text, /Roles in this organization/);
});

t.test('an owner of the instance gives a role in it, and takes it away', async (t) => {
  // One service user must always own the instance.
  await makeCaller(container, home.id, ['IAM_OWNER']);
  const instance = await openConsole(opened, await makeHome(container), { roles: ['IAM_OWNER'] });
  const user = await makePerson(container, home);
  const tab = await instance.get(`${pathOf(user)}/roles`);
  const forms = tab.text.split('Roles in the service')[1] ?? '';
  t.match(forms, /Owner of the service/);
  const given = await instance.fill(tab, { role: 'IAM_OWNER' }, `${pathOf(user)}/roles/give-instance`);
  t.match(given.location, /done=roleGiven/);
  const [held] = await container.memberships.ofUser(user.id);
  t.match(held, { role: 'IAM_OWNER' });
  const taking = `${pathOf(user)}/roles/${held?.id}/take`;
  const asked = await instance.get(`${taking}?scope=instance`);
  t.equal((await instance.get(taking)).status, 404, 'it is no role of the organization');
  const other = `${pathOf(owner.person)}/roles/${held?.id}/take?scope=instance`;
  t.equal((await instance.get(other)).status, 404, 'nor one of another user');
  const taken = await instance.fill(asked, { confirmed: user.userName }, taking);
  t.match(taken.location, /done=roleTaken/);
});

t.test('the last owner does not lose the role by accident, nor at all', async (t) => {
  const place = await makeHome(container);
  const boss = await openConsole(opened, place, { roles: ['ORG_OWNER'] });
  const users = `/console/orgs/${place.id}/users`;
  const [held] = await container.memberships.ofUser(boss.person.id);
  const taking = `${users}/${boss.person.id}/roles/${held?.id}/take`;
  const asked = await boss.get(`${taking}?scope=organization`);
  t.match(asked.text, /It is your own role/);
  const { userName } = boss.person;
  const kept = await boss.fill(asked, { confirmed: userName }, taking);
  t.match(kept, { status: 409, text: /Nobody else in this role can sign in/ });
  const members = `/console/orgs/${place.id}/settings/members/${held?.id}/remove`;
  const again = await boss.fill(await boss.get(members), { confirmed: userName }, members);
  t.match(again, { status: 409, text: /Nobody else in this role can sign in/ });
  const profile = await boss.get(`${users}/${boss.person.id}`);
  const deactivated = await boss.fill(profile, {}, `${users}/${boss.person.id}/deactivate`);
  t.match(deactivated, { status: 409, text: /Nobody else in this role can sign in/ });
  t.match(await container.users.find(place.id, boss.person.id), { active: true });
  const second = await makePerson(container, place);
  await addMembership(container, {
    userId: second.id,
    role: 'ORG_OWNER',
    orgId: place.id,
    editor: testEditor,
  });
  const left = await boss.fill(asked, { confirmed: userName }, taking);
  t.match(left, { status: 303, location: '/console' });
});

t.test('the log says what happened to a user, and what the user did', async (t) => {
  const user = await makePerson(container, home, { title: 'Clerk' });
  await change(user, { title: 'Chief' });
  const about = (await owner.get(`${pathOf(user)}/log`)).text;
  t.match(about, /user\.human\.changed/);
  t.match(about, /<details>/);
  t.match(about, /Anna Lind/, 'the name of who changed it');
  t.match((await owner.get(`${pathOf(manager.person)}/log`)).text, user.id);
  t.equal((await manager.get(`${pathOf(user)}/log`)).status, 403);
});

t.test('a user is deleted by its login name alone', async (t) => {
  const user = await makePerson(container, home);
  const fresh = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const page = await fresh.get(`${pathOf(user)}/delete`);
  t.match(page.text, /Groups: 0\. Sessions: 0\. Roles: 0\./);
  const wrong = await fresh.fill(page, { confirmed: user.displayName }, `${pathOf(user)}/delete`);
  t.equal(wrong.status, 400);
  t.ok(await stored(user));
  const deleted = await fresh.fill(page, { confirmed: ` ${user.userName} ` }, `${pathOf(user)}/delete`);
  t.match((await fresh.follow(deleted)).text, /The user was deleted/);
  t.notOk(await stored(user));
});

t.test('a viewer sees no form for changes, and the API refuses one that is sent anyway', async (t) => {
  const user = await makePerson(container, home);
  for (const path of [
    `${users}/new`,
    ...['edit', 'delete', 'reset-password', 'second-factor/remove', 'passkeys/x/remove'].map(
      (end) => `${pathOf(user)}/${end}`,
    ),
  ])
    t.equal((await viewer.get(path)).status, 403, path);
  const csrf = /name="csrf" value="([^"]*)"/.exec((await viewer.get('/console')).text)?.[1] ?? '';
  t.equal((await viewer.post(`${pathOf(user)}/deactivate`, { csrf })).status, 403);
});

t.test('a manager changes nobody who has more rights', async (t) => {
  const page = await manager.get(pathOf(owner.person));
  const refused = await manager.fill(page, {}, `${pathOf(owner.person)}/deactivate`);
  t.equal(refused.status, 403);
  t.match(refused.text, 'This needs rights that you lack');
});

t.test('hostile names are escaped on every page', async (t) => {
  const hostile = '"><script>alert(1)</script>';
  const user = await makePerson(container, home, {
    userName: `h'"<b>&amp;`,
    emails: [{ value: 'hostile@acme.example' }],
    displayName: hostile,
    title: hostile,
    name: { familyName: hostile },
  });
  await setUserMetadata(container, {
    orgId: home.id,
    userId: user.id,
    key: '<i>',
    value: Buffer.from(hostile).toString('base64'),
    editor: testEditor,
  });
  const pages = ['', '/sign-in', '/sessions', '/roles', '/log', '/edit', '/delete', '/reset-password'];
  for (const path of [
    `${users}?search=${encodeURIComponent('"><script>')}`,
    ...pages.map((end) => `${pathOf(user)}${end}`),
  ]) {
    const { status, text } = await owner.get(path);
    t.equal(status, 200, path);
    t.notMatch(text, '<script>alert', path);
    t.notMatch(text, '<i>', path);
    t.ok(text.length < 100_000, `${path}: ${text.length} characters`);
  }
});

t.test('every page speaks the five languages', async (t) => {
  const user = await makePerson(container, home);
  for (const [language, word] of [
    ['de', 'Anmeldung'],
    ['fr', 'Connexion'],
    ['es', 'Inicio de sesión'],
    ['it', 'Accesso'],
  ] as const) {
    await change(owner.person, { preferredLanguage: language });
    t.match(await owner.get(`${pathOf(user)}/sign-in`), { status: 200, text: word });
  }
});

t.test('attributes that the organization has registered are written like others', async (t) => {
  const place = await makeHome(container, { name: 'Badges' });
  const boss = await openConsole(opened, place, { roles: ['ORG_OWNER'] });
  const attributes = badgeSchema.attributes.map((one) =>
    one.name === 'number' ? { ...one, required: true } : one,
  );
  const schema = { ...badgeSchema, attributes };
  await putExtensionSchema(container, { orgId: place.id, schema, editor: testEditor });
  const list = `/console/orgs/${place.id}/users`;
  const typed = { userName: 'badged', credential: 'password', password: goodPassword };
  const form = await boss.get(`${list}/new`);
  t.match(form.text, `name="${badgeUrn}:number" required`);
  t.notMatch(form.text, `${badgeUrn}:level`, 'a new user needs only what is required');
  t.match(await submit(boss, form, typed), { status: 400, text: 'number' });
  const added = await submit(boss, form, { ...typed, [`${badgeUrn}:number`]: 'B-1' });
  const path = (added.location ?? '').replace(/\?.*/, '');
  const as = await makeCaller(container, place.id, ['ORG_USER_VIEWER']);
  const valuesOf = async () =>
    (await opened.call(`GET /scim/v2/${place.id}/Users/${path.split('/').at(-1)}`, { as })).body[badgeUrn];
  const edit = async (fields: Record<string, string>) => {
    const given = Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [`${badgeUrn}:${name}`, text]),
    );
    const page = await boss.get(`${path}/edit`);
    return submit(boss, page, { ...fieldsOf(page.text), ...given });
  };
  const values = { areas: 'north\r\nsouth', level: '3', weight: '1.5', escort: 'true', color: 'blue' };
  t.match((await edit(values)).location, /done=saved$/);
  const expected = {
    number: 'B-1',
    areas: ['north', 'south'],
    level: 3,
    weight: 1.5,
    escort: true,
    color: 'blue',
  };
  t.same(await valuesOf(), expected);
  t.match((await boss.get(`${path}/edit`)).text, 'value="3"');
  t.match((await boss.get(path)).text, 'south');
  const refused = await edit({ level: 'high', color: 'green' });
  t.equal(refused.status, 400);
  t.match(refused.text, `${badgeUrn}:level`);
  t.match(refused.text, 'value="high"', 'what was typed stays');
  t.same(await valuesOf(), expected);
  t.match((await edit({ areas: '', escort: 'false', level: '' })).location, /done=saved$/);
  t.same(await valuesOf(), { number: 'B-1', weight: 1.5, escort: false, color: 'blue' });
});

t.test('a form changes no registered value that nobody touched, and loses none that was typed', async (t) => {
  const place = await makeHome(container, { name: 'Notes' });
  const boss = await openConsole(opened, place, { roles: ['ORG_OWNER'] });
  const attributes = [
    ...badgeSchema.attributes,
    extensionAttribute('note'),
    ...Array.from({ length: 51 }, (_, n) => extensionAttribute(`more${n}`)),
    extensionAttribute('last', { required: true }),
  ];
  const schema = { ...badgeSchema, attributes };
  await putExtensionSchema(container, { orgId: place.id, schema, editor: testEditor });
  const as = await makeCaller(container, place.id, ['ORG_USER_MANAGER']);
  const list = `/console/orgs/${place.id}/users`;
  const newForm = await boss.get(`${list}/new`);
  t.match(
    newForm.text,
    `name="${badgeUrn}:last" required`,
    'a required attribute is in the form, however many there are',
  );
  const typed = { userName: 'noted', credential: 'password', password: goodPassword };
  const added = await submit(boss, newForm, { ...typed, [`${badgeUrn}:last`]: 'x' });
  const path = (added.location ?? '').replace(/\?.*/, '');
  const resource = `/scim/v2/${place.id}/Users/${path.split('/').at(-1)}`;
  const write = (value: object) =>
    opened.call(`PATCH ${resource}`, {
      as,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: badgeUrn, value }],
      },
    });
  const badge = async () => (await opened.call(`GET ${resource}`, { as })).body[badgeUrn];
  const values = { last: 'x', note: 'line one\nline two', areas: [' north', 'north', 'south'] };
  t.equal((await write(values)).status, 204);
  const page = await boss.get(`${path}/edit`);
  t.match(page.text, /no room for: .*more5/);
  // As browsers send a text in one line, and one in several.
  for (const lineEnd of ['', '\r\n']) {
    const fields = Object.fromEntries(
      Object.entries(fieldsOf(page.text)).map(([name, text]) => [name, text.replaceAll('\n', lineEnd)]),
    );
    fields[`${badgeUrn}:areas`] = ' north\r\nnorth\r\nsouth';
    t.match((await submit(boss, page, fields)).location, /done=saved$/);
    t.same(await badge(), values);
  }
  const form = await boss.get(`${path}/edit`);
  await write({ areas: Array.from({ length: 90 }, (_, n) => `${n}`.padStart(100, 'x')) });
  const late = await submit(boss, form, { ...fieldsOf(form.text), [`${badgeUrn}:color`]: 'red' });
  t.equal(late.status, 409, 'others wrote meanwhile, more than the form has room for');
  t.match(late.text, 'value="red"', 'what was typed stays');
});

t.test('language, region and time zone are chosen, and an unusual value stays', async (t) => {
  const user = await makePerson(container, home, {
    preferredLanguage: 'da, en-GB;q=0.8',
    locale: 'de-CH',
    timezone: 'Asia/Calcutta',
  });
  const form = await manager.get(`${pathOf(user)}/edit`);
  for (const name of ['preferredLanguage', 'locale', 'timezone'])
    t.match(form.text, `<select id="f-${name}"`);
  t.match(form.text, '>Switzerland (German)</option>');
  t.match(form.text, /<optgroup label="Europe">.*<option value="Europe\/Kyiv">Kyiv<\/option>/s);
  t.ok(form.text.length < 60_000, `${form.text.length} characters`);
  await submit(manager, form, { ...fieldsOf(form.text), nickName: 'Dana' });
  const kept = { preferredLanguage: 'da, en-GB;q=0.8', locale: 'de-CH', timezone: 'Asia/Calcutta' };
  t.match(await stored(user), { ...kept, nickName: 'Dana' });
  const chosen = { preferredLanguage: 'de-CH', locale: 'rm-CH', timezone: 'Asia/Kolkata' };
  t.match((await submit(manager, form, { ...fieldsOf(form.text), ...chosen, nickName: '' })).status, 409);
  const again = await manager.get(`${pathOf(user)}/edit`);
  await submit(manager, again, { ...fieldsOf(again.text), ...chosen });
  t.match(await stored(user), chosen);
  t.match((await manager.get(pathOf(user))).text, 'Switzerland (Romansh) <span class="soft">rm-CH</span>');
  t.match((await manager.get(`${users}/new`)).text, '<select id="f-preferredLanguage"');
});

t.test('every offered language, region and time zone is taken', (t) => {
  for (const { value } of localeChoices('languages', 'de')) t.equal(requireLanguageTag('x', value), value);
  for (const { value } of localeChoices('regions', 'fr')) t.equal(requireLanguageTag('x', value), value);
  for (const { value } of localeChoices('timezones', 'it')) t.equal(requireTimeZone(value), value);
  for (const kind of ['languages', 'regions', 'timezones'] as const) {
    const labels = localeChoices(kind, 'es').map(({ label, group }) => `${group} ${label}`);
    t.equal(new Set(labels).size, labels.length, `${kind}: no two have the same name`);
  }
  t.end();
});

t.test('the manager is found by name, and nobody is guessed', async (t) => {
  const [first, second] = await Promise.all(
    ['one', 'two'].map((end) =>
      makePerson(container, home, {
        userName: `mgr.${end}`,
        emails: [{ value: `mgr.${end}@acme.example`, primary: true }],
        name: { givenName: 'Mira', familyName: 'Manager' },
      }),
    ),
  );
  const user = await makePerson(container, home, { name: { familyName: 'Managed' } });
  const edit = async (manager: ConsoleUser, text: string) => {
    const page = await manager.get(`${pathOf(user)}/edit`);
    return submit(manager, page, { ...fieldsOf(page.text), manager: text });
  };
  for (const [text, id] of [
    ['MGR.one', first?.id],
    ['mgr.two@acme.example', second?.id],
    ['', undefined],
    [first?.id ?? '', first?.id],
  ] as const) {
    t.match((await edit(manager, text)).location, /done=saved$/, text);
    t.equal((await stored(user))?.manager, id, text);
  }
  t.match((await manager.get(`${pathOf(user)}/edit`)).text, 'value="mgr.one"', 'not the identifier');
  const unclear = await edit(manager, 'mira manager');
  t.equal(unclear.status, 400);
  t.match(unclear.text, `<option value="${second?.id}">Mira Manager (mgr.two)</option>`);
  const chosen = await submit(manager, unclear, { ...fieldsOf(unclear.text), manager: second?.id ?? '' });
  t.match(chosen.location, /done=saved$/);
  t.equal((await stored(user))?.manager, second?.id);
  t.match(await edit(manager, 'nobody <b>'), { status: 400, text: 'value="nobody &lt;b&gt;"' });
  t.equal((await stored(user))?.manager, second?.id);

  const suggested = await manager.get(`${users}/managers?manager=MGR`);
  t.match(suggested.text, '<option value="mgr.one">Mira Manager</option>');
  t.ok(suggested.text.length < 2_000, 'no whole page');
  const foreign = await makePerson(container, await makeHome(container), { userName: 'foreign.manager' });
  t.notMatch((await manager.get(`${users}/managers?manager=foreign`)).text, 'foreign.manager');
  t.equal((await edit(manager, foreign.userName)).status, 400, 'nobody of another organization');
});

t.test('an attribute of the organization has a field of its type', async (t) => {
  const place = await makeHome(container, { name: 'Typed' });
  const boss = await openConsole(opened, place, { roles: ['ORG_OWNER'] });
  const attributes = [
    ...badgeSchema.attributes,
    extensionAttribute('skills', { multiValued: true, canonicalValues: ['welding', 'first aid'] }),
  ];
  await putExtensionSchema(container, {
    orgId: place.id,
    schema: { ...badgeSchema, attributes },
    editor: testEditor,
  });
  const person = await makePerson(container, place);
  const path = `/console/orgs/${place.id}/users/${person.id}`;
  const page = await boss.get(`${path}/edit`);
  for (const [name, tag] of [
    ['level', 'input type="number" value="" id'],
    ['weight', 'input type="number" value="" id'],
    ['escort', 'select id'],
    ['expires', 'input type="datetime-local" value="" id'],
    ['color', 'select id'],
  ] as const)
    t.match(page.text, `<${tag}="f-${badgeUrn}:${name}"`, name);
  t.match(page.text, 'step="any"', 'a decimal');
  t.match(page.text, `<input type="checkbox" id="f-${badgeUrn}:skills-first aid"`);
  const given = {
    level: '7',
    weight: '0.25',
    escort: 'false',
    expires: '2027-03-04T05:06',
    skills: 'first aid',
  };
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [`${badgeUrn}:${name}`, text]),
  );
  t.match((await submit(boss, page, { ...fieldsOf(page.text), ...fields })).location, /done=saved$/);
  const as = await makeCaller(container, place.id, ['ORG_USER_VIEWER']);
  const read = async () =>
    (await opened.call(`GET /scim/v2/${place.id}/Users/${person.id}`, { as })).body[badgeUrn];
  const expected = {
    level: 7,
    weight: 0.25,
    escort: false,
    expires: '2027-03-04T05:06:00.000Z',
    skills: ['first aid'],
  };
  t.same(await read(), expected);
  const again = await boss.get(`${path}/edit`);
  const same = { ...fieldsOf(again.text), [`${badgeUrn}:skills`]: 'first aid' };
  t.match((await submit(boss, again, same)).location, /done=saved$/);
  t.same(await read(), expected, 'nothing changes by itself');
  const wrong = await submit(boss, again, { ...same, [`${badgeUrn}:expires`]: '2027-02-31T99:00' });
  t.equal(wrong.status, 400);
});

t.test('several users are chosen, counted in a question, and changed by a job', async (t) => {
  const place = await makeHome(container, { name: 'Several' });
  const boss = await openConsole(opened, place, { roles: ['ORG_USER_MANAGER'] });
  const looker = await openConsole(opened, place, { roles: ['ORG_USER_VIEWER'] });
  const people = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      makePerson(container, place, { userName: `several-<${n}>`, emails: [] }),
    ),
  );
  const list = `/console/orgs/${place.id}/users`;
  const actions = `${list}/actions`;
  const page = await boss.get(list);
  t.match(page.text, 'In all: 62');
  t.match(page.text, `name="id" value="${people[0]?.id}"`);
  t.notMatch((await looker.get(list)).text, 'name="id"', 'a viewer chooses nobody');
  t.equal((await looker.get(`${actions}?action=deactivate&all=on`)).status, 403);

  const question = await boss.get(
    `${actions}?action=deactivate&id=${people[0]?.id}&id=${people[1]?.id}&search=`,
  );
  t.match(question.text, 'Users: 2. Deactivate them?');
  t.match(question.text, 'several-&lt;0&gt;');
  t.match(await boss.get(`${actions}?action=deactivate&search=several`), { location: /done=nobody/ });
  t.match((await boss.get(`${list}?done=nobody`)).text, 'Choose users in the list first');
  const all = await boss.get(`${actions}?action=deactivate&all=on&search=SEVERAL&active=true`);
  t.match(all.text, 'Users: 60. Deactivate them?');
  t.match(all.text, 'and 50 more');

  await makePerson(container, place, { userName: 'several-late' });
  const late = await boss.fill(all, {}, actions);
  t.equal(late.status, 409, 'nobody is deactivated who was not counted');
  t.match(late.text, 'Users: 61. Deactivate them?', 'the question counts again');
  const begun = await boss.fill(late, {}, actions);
  t.match(begun.location, /\/users\/actions\/jobs\//);
  t.match((await boss.follow(begun)).text, 'waiting');
  const [job] = await container.jobs.openOf(place.id);
  t.match(await container.jobs.find(job?.id ?? ''), { kind: 'user-actions', progress: { total: 61 } });
  t.equal((await manager.get(`/console/orgs/${home.id}/users/actions/jobs/${job?.id}`)).status, 404);

  await addGroup(container, {
    orgId: place.id,
    profile: { displayName: 'Golf' },
    members: new Set<string>(),
    editor: testEditor,
  });
  const toGroup = await boss.get(`${actions}?action=addToGroup&id=${people[3]?.id}`);
  t.match(toGroup.text, />Golf<\/option>/);
  // A link chooses whom it likes, and finds one group. The person says that it is to be this one.
  const led = await boss.get(`${actions}?action=addToGroup&id=${people[3]?.id}&group=Golf`);
  t.match(led.text, /<select id="f-groupId" name="groupId" required>\s*<option value="" selected>/);
  const undecided = await boss.fill(led, {}, actions);
  t.equal(undecided.status, 400, 'nobody is added to a group that the person did not choose');
  t.match(undecided.text, 'Choose a group');
  t.match(undecided.text, 'Users: 1. Add them to a group?');
  t.match(
    (await boss.get(`${actions}?action=addToGroup&id=${people[3]?.id}&group=zzz`)).text,
    'no such group',
  );
  t.match((await boss.fill(toGroup, { groupId: 'none' }, actions)).status, 404);
});

t.test('a user gets the link by mail, when added and later', async (t) => {
  const form = await manager.get(`${users}/new`);
  const typed = { userName: 'by-mail', emails: 'by-mail@acme.example', credential: 'mail' };
  const added = await submit(manager, form, typed);
  t.match(added.location, /done=addedByMail$/);
  t.match((await manager.get(added.location ?? '')).text, /got a link by mail/);
  const path = (added.location ?? '').replace(/\?.*/, '/reset-password');
  const page = await manager.get(path);
  t.match(page.text, 'Send it by mail to by-mail@acme.example');
  const sent = await manager.fill(page, { delivery: 'mail' }, page.url);
  t.match(sent.location, /\/sign-in\?done=linkMailed$/);
  t.match((await manager.get(sent.location ?? '')).text, /The link was sent by mail/);
  const mails = mailServer.to('by-mail@acme.example');
  t.equal(mails.length, 2);
  for (const mail of mails) t.match(mail, '/login/password?token=');

  const unreachable = await submit(manager, form, { userName: 'no-mail', credential: 'mail' });
  t.match(unreachable.location, /done=addedWithoutMail$/);
  t.match((await manager.get(unreachable.location ?? '')).text, /got no mail/);
  const without = await makePerson(container, home, { emails: [] });
  t.notMatch((await manager.get(`${pathOf(without)}/reset-password`)).text, /by mail/, 'without an address');
});

t.test(
  'a person who signed in long ago adds a user with a password at once, and with a link not half-way',
  async (t) => {
    const user = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
    const form = await user.get(`${users}/new`);
    clock.advance(container.config.freshSignInSeconds + 60);
    const asked = await submit(user, form, { userName: 'late', credential: 'link' });
    t.match(asked.location, /oauth\/v2\/authorize.*prompt=login/, 'the link needs a fresh sign-in');
    const list = await user.get(`${users}?search=late`);
    t.notMatch(list.text, 'late</code>', 'nobody was added');
    const byPassword = { userName: 'late', credential: 'password', password: 'Correct-Horse-7' };
    t.match((await submit(user, form, byPassword)).location, /done=added$/);
    t.match((await user.get(`${users}/new`)).location, /prompt=login/, 'the sign-in comes before the form');
  },
);

/** The texts in the fields of a form. */
function fieldsOf(text: string): Record<string, string> {
  const decode = (value = '') =>
    value
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  const inputs = [
    ...text.matchAll(
      /<input type="(?:text|password|number|datetime-local)" value="([^"]*)" id="f-([\w:.]+)"/g,
    ),
  ];
  const areas = [...text.matchAll(/<textarea rows="\d+" id="f-([\w:.]+)"[^>]*>([^<]*)<\/textarea>/g)];
  const selects = [...text.matchAll(/<select id="f-([\w:.]+)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name, options = '']) => [name, /value="([^"]*)" selected/.exec(options)?.[1]] as const,
  );
  return Object.fromEntries([
    ...selects.map(([name, value]) => [name, decode(value)] as const),
    ...inputs.map(([, value, name]) => [name, decode(value)] as const),
    ...areas.map(([, name, value]) => [name, decode(value)] as const),
  ]);
}
