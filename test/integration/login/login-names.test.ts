import t from 'tap';
import type { Organization } from '#src/directory/organization.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { newSecret } from '#src/platform/ids.js';
import { runUpgrades } from '#src/platform/mongo/run-upgrades.js';
import { upgrades } from '#src/upgrades.js';
import { until } from '../../../dev/until.js';
import { makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const mail = await startMailServer(t);
const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: mail.url,
});
const theirPassword = 'Another-Horse-8';

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });

/** Opens the login page and fills it in. A field that the page does not have is sent nevertheless. */
async function signIn(
  loginName: string,
  { password = goodPassword, organization = '', visitor = newVisitor(), flow = '' } = {},
): Promise<Seen> {
  const page = await visitor.get(`/login${flow === '' ? '' : `?request=${flow}`}`);
  return visitor.fill(page, { loginName, password, ...(organization !== '' && { organization }) });
}

/** Whose account signs in with the name: "mine", "theirs" or nobody's. */
async function ownerOf(loginName: string, given: { organization?: string } = {}): Promise<string> {
  const [mine, theirs] = [
    await signIn(loginName, given),
    await signIn(loginName, { ...given, password: theirPassword }),
  ];
  const owners = [...(mine.status === 303 ? ['mine'] : []), ...(theirs.status === 303 ? ['theirs'] : [])];
  return owners.join(' and ') || 'nobody';
}

async function twoOrganizations(): Promise<[Organization, Organization]> {
  return [await makeHome(container), await makeHome(container)];
}

async function change(organization: Organization, { id }: User, profile: Partial<UserProfileInput>) {
  clock.advance(1);
  return changeUser(container, {
    organization,
    id,
    editor: testEditor,
    change: (current) => ({ profile: { ...current, ...profile } }),
  });
}

/** Marks the address as proved, as the use of a mailed link does. */
async function prove(organization: Organization, { id, emails }: User): Promise<void> {
  await changeUser(container, {
    organization,
    id,
    editor: testEditor,
    change: (current) => ({ profile: current, provenEmail: emails[0]?.value ?? '' }),
  });
}

const address = (value: string) => ({ emails: [{ value, primary: true }] });
const planted = { password: theirPassword };

const waiting = async (visitor: Visitor, given: { clientId?: string; scope?: string }) => {
  await visitor.get('/login');
  return container.authorizationRequests.seal({
    id: newSecret(),
    clientId: 'some-client',
    redirectUri: 'https://client.example/callback',
    responseType: 'code',
    responseMode: 'query',
    scope: 'openid',
    prompts: [],
    uiLocales: [],
    created: clock.now(),
    agentHash: hashSecret(visitor.cookies.get('__Host-muster-agent') ?? ''),
    ...given,
  });
};

t.test('a login name stays the name of the person who had it first', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = uniqueName('greta');
  const greta = await makePerson(container, mine, { userName: name, ...address(`${name}@mail.example`) });
  clock.advance(1);
  await makePerson(container, theirs, { userName: name, ...planted, ...address(`${name}@mail.example`) });
  t.equal(await ownerOf(name), 'mine', 'the userName');
  t.equal(await ownerOf(`${name}@mail.example`), 'mine', 'the address');
  await makePerson(container, theirs, { userName: `${name}@mail.example`, ...planted });
  t.equal(await ownerOf(`${name}@mail.example`), 'mine', 'whose address is claimed as a userName');
  await change(mine, greta, { displayName: 'Greta L' });
  t.equal(await ownerOf(name), 'mine', 'after a change of something else');
});

t.test('a user who takes a name later does not have it first, however old the user is', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const old = await makePerson(container, theirs, planted);
  clock.advance(1);
  const name = uniqueName('rosa');
  const rosa = await makePerson(container, mine, { userName: name, ...address(`${name}@mail.example`) });
  await change(theirs, old, { userName: name, ...address(`${name}@mail.example`) });
  t.equal(await ownerOf(name), 'mine');
  t.equal(await ownerOf(`${name}@mail.example`), 'mine');
  const changed = await change(mine, rosa, address(`new-${name}@mail.example`));
  t.equal(await ownerOf(name), 'mine', 'a new address does not cost the userName');
  await change(mine, changed, { userName: `${name}-2` });
  t.equal(await ownerOf(name), 'theirs', 'a name that was given up is free');
  await change(mine, rosa, { userName: name });
  t.equal(await ownerOf(name), 'theirs', 'and does not come back by itself');
  t.equal(await ownerOf(name, { organization: mine.name }), 'mine');
});

t.test('many planted addresses hide nobody', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = `${uniqueName('olga')}@mail.example`;
  const old = await Promise.all(Array.from({ length: 25 }, () => makePerson(container, theirs, planted)));
  clock.advance(1);
  await makePerson(container, mine, { userName: name });
  for (const user of old) await change(theirs, user, address(name));
  await Promise.all(
    Array.from({ length: 25 }, () => makePerson(container, theirs, { ...planted, ...address(name) })),
  );
  t.equal(await ownerOf(name), 'mine');
});

t.test('a proved address comes before older claims', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = `${uniqueName('ida')}@mail.example`;
  await makePerson(container, theirs, { ...planted, userName: name });
  clock.advance(1);
  const ida = await makePerson(container, mine, address(name));
  t.equal(await ownerOf(name), 'theirs', 'neither has proved it');
  await prove(mine, ida);
  t.equal(await ownerOf(name), 'mine');
  await makePerson(container, mine, { ...address(name), password: 'Third-Horse-9' });
  t.equal(await ownerOf(name, { organization: mine.name }), 'mine', 'within the organization too');

  const visitor = newVisitor();
  const { id: clientId } = await makeApplication(container, theirs.id, { orgOnly: false });
  const found = await signIn(name, { visitor, flow: await waiting(visitor, { clientId }) });
  t.equal(found.status, 303, 'and at an application of the other organization');
});

t.test('a verified domain comes before everything', async (t) => {
  const domain = `${uniqueName('domain')}.example`;
  const [mine, theirs] = [await makeHome(container, { domains: [domain] }), await makeHome(container)];
  const name = `lena@${domain}`;
  const old = await makePerson(container, theirs, { ...planted, userName: name, ...address(name) });
  await prove(theirs, old);
  clock.advance(1);
  t.equal(await ownerOf(name), 'theirs', 'while the organization has nobody of this name');
  await makePerson(container, mine, { userName: 'lena' });
  t.equal(await ownerOf(name), 'mine');
  const visitor = newVisitor();
  const { id: clientId } = await makeApplication(container, theirs.id, { orgOnly: false });
  const found = await signIn(name, { visitor, flow: await waiting(visitor, { clientId }) });
  t.equal(found.status, 303, 'at an application of the other organization');
});

t.test('the organization of the application comes before who had the name first', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = uniqueName('nora');
  await makePerson(container, mine, { userName: name });
  clock.advance(1);
  await makePerson(container, theirs, { ...planted, userName: name });
  const at = async (orgId: string, given: { organization?: string; password?: string }) => {
    const visitor = newVisitor();
    const { id: clientId } = await makeApplication(container, orgId);
    return (await signIn(name, { ...given, visitor, flow: await waiting(visitor, { clientId }) })).status;
  };
  t.equal(await at(theirs.id, { password: theirPassword }), 303);
  t.equal(await at(mine.id, {}), 303);
});

t.test('an ambiguous name: the page asks for the organization', async (t) => {
  const domain = `${uniqueName('second')}.example`;
  const name = uniqueName('Äda');
  const [mine, theirs] = [
    await makeHome(container, { name: uniqueName('Lindgren & Söhne') }),
    await makeHome(container, { domains: [domain] }),
  ];
  const [first, second] = [
    await makePerson(container, mine, { userName: name, ...address('ada@mail.example') }),
    await makePerson(container, theirs, { ...planted, userName: name, ...address('ada@else.example') }),
  ];
  await container.mongo
    .collection<{ _id: string }>('users')
    .updateMany({ _id: { $in: [first.id, second.id] } }, { $set: { created: clock.now() } });
  t.equal(await ownerOf(name), 'nobody', 'both have it for the same time');
  const visitor = newVisitor();
  const login = await visitor.get('/login');
  t.notMatch(login.text, /name="organization"/);
  const asked = await visitor.fill(login, { loginName: name, password: goodPassword });
  t.match(asked, { status: 400, text: /<label for="organization">Organization<\/label>/ });
  t.notMatch(asked.text, /id="organization"[^>]*required/);
  t.notMatch(asked.text, /Lindgren/, 'it lists none');
  const wrong = await visitor.fill(asked, { loginName: name, password: goodPassword, organization: domain });
  t.match(wrong, { status: 400, text: new RegExp(`name="organization"[^>]*value="${domain}"`) });
  const typed = { loginName: name, password: goodPassword, organization: ` ${mine.name.toUpperCase()} ` };
  t.equal((await visitor.fill(wrong, typed)).status, 303);
  for (const organization of [mine.id, mine.name]) t.equal(await ownerOf(name, { organization }), 'mine');
  for (const organization of [theirs.id, theirs.name, domain.toUpperCase()]) {
    t.equal(await ownerOf(name, { organization }), 'theirs', organization);
  }
  t.equal(await ownerOf(name, { organization: 'x'.repeat(3000) }), 'nobody');
});

t.test('an organization that takes the name of another takes none of its people', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = uniqueName('petra');
  await makePerson(container, mine, { userName: name });
  clock.advance(1);
  await makePerson(container, theirs, { ...planted, userName: name });
  const rename = { orgId: theirs.id, change: { name: mine.name }, editor: testEditor };
  await changeOrganization(container, rename);
  t.equal(await ownerOf(name, { organization: mine.name }), 'mine');
  t.equal(await ownerOf(name, { organization: theirs.id }), 'theirs');
});

t.test('the answer does not show whether a name or an organization exists', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const shared = uniqueName('twin');
  await makePerson(container, mine, { userName: shared });
  await makePerson(container, theirs, { ...planted, userName: shared });
  const only = await makePerson(container, mine);
  const { verify } = container.passwords;
  t.teardown(() => {
    container.passwords.verify = verify;
  });
  const shown = [];
  for (const [loginName, organization] of [
    [shared, ''],
    [only.userName, ''],
    [uniqueName('nobody'), ''],
    [shared, mine.name],
    [shared, uniqueName('no organization')],
    [only.userName, theirs.name],
    [uniqueName('nobody'), mine.id],
  ] as const) {
    let hashes = 0;
    container.passwords.verify = (...args) => {
      hashes++;
      return verify(...args);
    };
    const answer = await signIn(loginName, { organization, password: 'Wrong-Horse-1' });
    t.equal(hashes, 1, 'one hash');
    shown.push({ status: answer.status, text: answer.text.replace(/value="[^"]*"/g, '') });
  }
  for (const one of shown) t.same(one, shown[0]);
  t.equal(shown[0]?.status, 400);
});

t.test('an application that serves one organization does not ask, and what is sent is ignored', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = uniqueName('vera');
  await makePerson(container, mine, { userName: name });
  await makePerson(container, theirs, { ...planted, userName: name });
  const visitor = newVisitor();
  const flow = await waiting(visitor, { scope: `openid urn:service:iam:org:id:${theirs.id}` });
  const organization = mine.name;
  const refused = await signIn(name, { visitor, flow, organization });
  t.equal(refused.status, 400);
  t.notMatch(refused.text, /name="organization"/);
  t.equal((await signIn(name, { visitor, flow, organization, password: theirPassword })).status, 303);
});

t.test('a name with an organization is locked like the name at its domain, and unlocked', async (t) => {
  const domain = `${uniqueName('locked')}.example`;
  const mine = await makeHome(container, { domains: [domain] });
  const user = await makePerson(container, mine);
  const limit = container.config.loginMaxFailures;
  const wrong = { organization: mine.name, password: 'Wrong-Horse-1' };
  for (let i = 0; i < limit; i++) t.equal((await signIn(user.userName, wrong)).status, 400);
  t.equal((await signIn(user.userName, { organization: mine.name })).status, 429, 'what was typed is locked');
  t.equal((await signIn(user.userName)).status, 400, 'another way to name the account does not show it');
  t.equal((await signIn(user.userName, { organization: domain })).status, 400);
  const owner = await makeCaller(container, mine.id, ['ORG_OWNER']);
  const url = `/admin/v1/orgs/${mine.id}/users/${user.id}/unlock`;
  t.equal((await call(`POST ${url}`, { as: owner })).status, 204);
  for (const organization of ['', mine.name, domain, mine.id]) {
    t.equal((await signIn(user.userName, { organization })).status, 303, organization);
  }
});

t.test('a link by mail goes to the person of the organization', async (t) => {
  const [mine, theirs] = await twoOrganizations();
  const name = uniqueName('wilma');
  const first = await makePerson(container, mine, { userName: name, ...address(`${name}@mine.example`) });
  clock.advance(1);
  const second = await makePerson(container, theirs, {
    userName: name,
    ...address(`${name}@theirs.example`),
  });
  const addressOf = ({ emails }: User) => emails[0]?.value ?? '';
  const ask = async (organization: string) => {
    const visitor = newVisitor();
    const page = await visitor.get('/login/forgot');
    return visitor.follow(await visitor.fill(page, { loginName: name, organization }));
  };
  const answers = [await ask(theirs.name), await ask(uniqueName('none'))];
  t.equal(answers[0]?.text, answers[1]?.text);
  await until(async () => mail.to(addressOf(second)).length > 0);
  t.equal(mail.to(addressOf(first)).length, 0);
  await ask('');
  await until(async () => mail.to(addressOf(first)).length > 0);
  t.equal(mail.to(addressOf(second)).length, 1);
});

t.test('the upgrade lets people name an organization of the first version', async (t) => {
  const mine = await makeHome(container);
  const { userName } = await makePerson(container, mine);
  const organization = mine.name.toLowerCase();
  await container.mongo
    .collection<{ _id: string }>('organizations')
    .updateOne({ _id: mine.id }, { $set: { schemaVersion: 1 }, $unset: { nameKey: '' } });
  t.equal((await signIn(userName, { organization })).status, 400);
  await runUpgrades(container.mongo, upgrades(container), { now: () => clock.now(), log: () => {} });
  t.equal((await signIn(userName, { organization })).status, 303);
  const found = await container.organizations.find(mine.id);
  t.notOk(found && 'nameKey' in found);
});
