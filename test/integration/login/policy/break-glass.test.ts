import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { readHumanUser } from '#src/migration/import/lists/humans/read/human-user-input.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeTenant, testEditor } from '../../../support/app/make.js';
import { makeApplication, redirectUri } from '../../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { isSignedIn, newVisitor, storeConnection } from '../../../support/oidc/connected.js';
import { formsOf, type Seen, type Visitor } from '../../../support/oidc/visitor.js';
import { optionsIn } from '../../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';

/** Owners who come in when the provider of their organization is away. */

const service = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { container, call, clock } = service;
const atProviderAlone: SignInPolicy = { firstFactors: ['connection'] };

/** An organization with an owner who has a password and an authenticator app, and a member who has the same. */
async function makeAcme() {
  const { orgId, owner } = await makeTenant(container);
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const [boss, member] = [
    await makePerson(container, organization),
    await makePerson(container, organization),
  ];
  await addMembership(container, { userId: boss.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  const secrets = { boss: await giveTotp(container, boss), member: await giveTotp(container, member) };
  await storeConnection(container, orgId, {});
  const put = (body: object) => call(`PUT /admin/v1/orgs/${orgId}/sign-in-policy`, { as: owner, body });
  const { id: clientId } = await makeApplication(container, orgId, { orgOnly: true });
  return { orgId, owner, organization, boss, member, secrets, put, clientId };
}

type Acme = Awaited<ReturnType<typeof makeAcme>>;

async function begin(visitor: Visitor, { clientId }: Acme): Promise<Seen> {
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  return visitor.follow(await visitor.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`));
}

/** Follows the link for owners of the first page of a sign-in. */
async function breakGlass(visitor: Visitor, acme: Acme): Promise<Seen> {
  const { text } = await begin(visitor, acme);
  const [, way = ''] = /href="([^"]*way=password[^"]*)"[^>]*>Emergency access/.exec(text) ?? [];
  return visitor.get(way.replaceAll('&amp;', '&'));
}

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

const typePassword = (visitor: Visitor, page: Seen, { userName }: User, password = goodPassword) =>
  visitor.fill(page, { loginName: userName, password }, '/login');

async function signIn(person: User, secret: Buffer): Promise<Seen> {
  const visitor = newVisitor(service);
  const asked = await visitor.follow(await typePassword(visitor, await visitor.get('/login'), person));
  return visitor.fill(asked, { code: nextCode(secret) }, '/login/code');
}

const refusedAt = (pointer: string) => ({ status: 400, body: { errors: [{ pointer: `#/${pointer}` }] } });

t.test('a named owner comes in by password and code, where the others need the provider', async (t) => {
  const acme = await makeAcme();
  const { boss, member, secrets, put } = acme;
  const policy = { ...atProviderAlone, breakGlassOwners: [boss.id] };
  t.match(await put(atProviderAlone), { status: 409 }, 'nobody would be left');
  t.match(await put(policy), refusedAt('breakGlassOwners/0'), 'the owner has not tried it');
  const alone = newVisitor(service);
  await typePassword(alone, await alone.get('/login'), boss);
  t.match(await put(policy), refusedAt('breakGlassOwners/0'), 'a password alone is no trial');
  t.ok(isSignedIn(await signIn(boss, secrets.boss)));
  t.match(await put(policy), { status: 200, body: policy });

  const visitor = newVisitor(service);
  t.notMatch((await begin(visitor, acme)).text, 'name="password"');
  const form = await breakGlass(visitor, acme);
  t.match(form.text, 'name="password"');
  const wrong = await visitor.follow(await typePassword(visitor, form, boss, 'Wrong-Horse-7'));
  t.match(wrong.text, 'name="password"', 'a wrong password comes back to the password');
  const asked = await typePassword(visitor, wrong, boss);
  t.match(asked.location, /^\/login\/code/);
  const done = await visitor.fill(
    await visitor.follow(asked),
    { code: nextCode(secrets.boss) },
    '/login/code',
  );
  t.match((await visitor.follow(done)).location, /[?&]code=/);

  const typed = async (person: User) => {
    const other = newVisitor(service);
    return other.follow(await typePassword(other, await breakGlass(other, acme), person));
  };
  const [refused, unknown] = [await typed(member), await typed({ ...member, userName: 'nobody' })];
  const shown = [refused, unknown].map(({ text }) => text.replace(/(value|href)="[^"]*"/g, ''));
  t.match(shown[0], 'name="password"');
  t.equal(shown[0], shown[1], 'the page tells nothing of the others');
});

t.test('a passkey that has signed in will do, also where passkeys begin no sign-in', async (t) => {
  const acme = await makeAcme();
  const { boss, put } = acme;
  const key = await enrolPasskey(container, boss);
  const policy = { ...atProviderAlone, breakGlassOwners: [boss.id] };
  t.match(await put(policy), refusedAt('breakGlassOwners/0'));
  const byPasskey = async (visitor: Visitor, page: Seen) => {
    const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
    const response = key.get(optionsIn(page.text, 'get'), new URL(container.config.baseUrl).origin);
    return visitor.post('/login/passkey', { ...hidden, response });
  };
  const visitor = newVisitor(service);
  t.ok(isSignedIn(await byPasskey(visitor, await visitor.get('/login?to=account'))));
  t.match(await put(policy), { status: 200 });
  const later = newVisitor(service);
  const page = await begin(later, acme);
  t.notMatch(page.text, 'data-passkey-ask');
  const done = await byPasskey(later, await breakGlass(later, acme));
  t.match((await later.follow(done)).location, /[?&]code=/);
});

t.test('an import keeps the password of a break-glass owner, and of nobody else', async (t) => {
  const { organization } = await makeAcme();
  const signInPolicy = { ...atProviderAlone, breakGlassOwners: ['named'] };
  const passwordOf = (userId: string) =>
    readHumanUser(
      { userId, user: { userName: userId, password: goodPassword } },
      { now: clock.now(), unreadableHashes: 'drop' },
      { ...organization, signInPolicy },
    ).password;
  t.strictSame(['named', 'other'].map(passwordOf), [goodPassword, undefined]);
});

t.test('a security key that was only a second factor is not tested', async (t) => {
  const { boss, owner, orgId, put } = await makeAcme();
  const key = await enrolPasskey(container, boss);
  const visitor = newVisitor(service);
  await typePassword(visitor, await visitor.get('/login'), boss);
  const page = await visitor.get('/login/second-passkey');
  const touch = { flags: 0x01, userHandle: undefined };
  const { origin } = new URL(container.config.baseUrl);
  const response = key.get(optionsIn(page.text, 'get'), origin, touch);
  t.ok(isSignedIn(await visitor.fill(page, { response }, '/login/second-passkey')));
  const { body } = await call(`GET /admin/v1/orgs/${orgId}/users/${boss.id}/passkeys`, { as: owner });
  t.match(body, { items: [{ lastUsed: String }] });
  t.match(await put({ ...atProviderAlone, breakGlassOwners: [boss.id] }), refusedAt('breakGlassOwners/0'));
  const withoutPasswords = await put({ firstFactors: ['passkey', 'connection'] });
  t.match(withoutPasswords, { status: 409, body: { id: 'directory.passkeyUntested' } });
});

t.test('only active owners of the organization are named, and few', async (t) => {
  const { orgId, owner, boss, member, put, secrets } = await makeAcme();
  const other = await makeAcme();
  t.ok(isSignedIn(await signIn(other.boss, other.secrets.boss)));
  for (const [owners, path] of [
    [[member.id], 'breakGlassOwners/0'],
    [[other.boss.id], 'breakGlassOwners/0'],
    [['no such person'], 'breakGlassOwners/0'],
    [['unknown'], 'breakGlassOwners/0'],
    [Array(6).fill(boss.id), 'breakGlassOwners'],
  ] as const) {
    const body = { breakGlassOwners: owners };
    t.match(await put(body), refusedAt(path), JSON.stringify(owners));
    const tried = await call(`POST /admin/v1/orgs/${orgId}/sign-in-policy/trial`, { as: owner, body });
    t.match(tried, refusedAt(path), `a trial of ${JSON.stringify(owners)}`);
  }
  t.match(await put({ breakGlassOwners: Array(101).fill(boss.id) }), { status: 400 });
  t.ok(isSignedIn(await signIn(boss, secrets.boss)));
  const twice = await put({ breakGlassOwners: [boss.id, boss.id] });
  t.match(twice, { status: 200, body: { breakGlassOwners: [boss.id] } });
  t.match(await put({ breakGlassOwners: [] }), { status: 200 });
  t.equal((await container.organizations.find(orgId))?.signInPolicy?.breakGlassOwners, undefined);
});

t.test('the last owner who breaks the glass keeps the role and the factors', async (t) => {
  const acme = await makeAcme();
  const { orgId, owner, boss, secrets, put } = acme;
  await signIn(boss, secrets.boss);
  await put({ ...atProviderAlone, breakGlassOwners: [boss.id] });
  const [membership] = (await container.memberships.ofUser(boss.id)) as { id: string }[];
  t.match(await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${membership?.id}`, { as: owner }), {
    ...{ status: 409, body: { id: 'directory.lastAbleOwner' } },
  });
  const state = await call(`GET /admin/v1/orgs/${orgId}/users/${boss.id}/sign-in-state`, { as: owner });
  t.match(state.body, { obstacles: [], steps: ['code'], unmetRules: [] });
  const trial = await call(`POST /admin/v1/orgs/${orgId}/sign-in-policy/trial`, {
    ...{ as: owner, body: { ...atProviderAlone, breakGlassOwners: [boss.id] } },
  });
  t.match(trial.body, { people: { meets: 1, lockedOut: 1 }, administrators: [] });
});

t.test('such an owner always needs two factors, and may set a new password', async (t) => {
  const acme = await makeAcme();
  const { orgId, owner, boss, member, secrets, put, organization } = acme;
  await signIn(boss, secrets.boss);
  await put({ ...atProviderAlone, breakGlassOwners: [boss.id] });
  const visitor = newVisitor(service);
  const asked = await typePassword(visitor, await visitor.get('/login'), boss);
  t.match(asked.location, /^\/login\/code/);
  t.match((await visitor.get('/account')).status, 303, 'the password alone opens nothing');
  const setPassword = (id: string) =>
    call(`PATCH /scim/v2/${orgId}/Users/${id}`, {
      as: owner,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'password', value: 'Another-Horse-9' }],
      },
    });
  t.equal((await setPassword(boss.id)).status, 204);
  t.match(await setPassword(member.id), { status: 400 }, 'nobody else gets a password');
  const changed = await put({ ...atProviderAlone, breakGlassOwners: [boss.id], sessionSeconds: 3600 });
  t.match(changed, refusedAt('breakGlassOwners/0'), 'the new password has not been tried');
  await changeOrganization(container, {
    ...{ orgId: organization.id, change: { signInPolicy: {} }, editor: testEditor },
  });
});

t.test('who is an owner no longer needs the provider like everybody else', async (t) => {
  const acme = await makeAcme();
  const { orgId, owner, boss, member, secrets, put } = acme;
  const held = await addMembership(container, {
    ...{ userId: member.id, role: 'ORG_OWNER', orgId, editor: testEditor },
  });
  await signIn(boss, secrets.boss);
  await signIn(member, secrets.member);
  t.match(await put({ ...atProviderAlone, breakGlassOwners: [boss.id, member.id] }), { status: 200 });
  const typed = async (person: User) => {
    const visitor = newVisitor(service);
    return typePassword(visitor, await breakGlass(visitor, acme), person);
  };
  t.match((await typed(member)).location, /^\/login\/code/);
  const left = await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${held.id}`, { as: owner });
  t.match(left.status, 204, JSON.stringify(left.body));
  t.notMatch((await typed(member)).location, /^\/login\/code/);
  t.match((await typed(boss)).location, /^\/login\/code/);
  const state = await call(`GET /admin/v1/orgs/${orgId}/users/${member.id}/sign-in-state`, { as: owner });
  t.notSame(state.body.obstacles, [], 'the console tells it');
});

t.test('an owner who is to be named tries a passkey, although it does not sign in yet', async (t) => {
  const { orgId, boss, member, secrets, put } = await makeAcme();
  await addMembership(container, { userId: member.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  await signIn(boss, secrets.boss);
  const key = await enrolPasskey(container, member);
  t.match(await put({ ...atProviderAlone, breakGlassOwners: [boss.id] }), { status: 200 });
  const both = { ...atProviderAlone, breakGlassOwners: [boss.id, member.id] };
  t.match(await put(both), refusedAt('breakGlassOwners/1'));
  const visitor = newVisitor(service);
  const page = await visitor.get(`/login?organization=${orgId}&way=password`);
  const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
  const response = key.get(optionsIn(page.text, 'get'), new URL(container.config.baseUrl).origin);
  t.notOk(isSignedIn(await visitor.post('/login/passkey', { ...hidden, response })));
  t.match(await put(both), { status: 200 });
});
