import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { amrOf, levelForRules, type Proof } from '#src/authentication/proofs/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { makeOrganization, testEditor, uniqueName } from '../../../support/app/make.js';
import { makeApplication, postForm, redeemCode, redirectUri } from '../../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { visit } from '../../../support/oidc/visitor.js';

const { container, app, call, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const orgId = home.id;
const web = await makeApplication(container, orgId);
const long = '2020-01-01';
const twoFactors = (of: 'everybody' | 'roles', from = long): SignInPolicy => ({
  demands: [{ of, acr: '2', from }],
});

async function setPolicy(signInPolicy: SignInPolicy) {
  await changeOrganization(container, { orgId, change: { signInPolicy }, editor: testEditor });
}
t.afterEach(() => setPolicy({}));

let lastAddress = 0;

/** A browser in which the person is signed in, with a code if there is a secret. */
async function signedIn({ userName }: User, secret?: Buffer) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  const answer = await visitor.fill(await visitor.get('/login'), {
    loginName: userName,
    password: goodPassword,
  });
  if (secret === undefined) return { visitor, answer };
  return {
    visitor,
    answer: await visitor.fill(await visitor.get('/login/code'), { code: nextCode(secret) }),
  };
}

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

const parameters = { client_id: web.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
const authorize = (more = {}) => `/oauth/v2/authorize?${new URLSearchParams({ ...parameters, ...more })}`;
const isAnswered = ({ location }: { location: string | undefined }) =>
  location?.startsWith(redirectUri) === true && /[?&]code=/.test(location);

t.test(
  'a stricter policy meets a session at its next authorization, and asks for what is missing alone',
  async (t) => {
    const person = await makePerson(container, home);
    const { visitor } = await signedIn(person);
    const secret = await giveTotp(container, person);
    const again = await signedIn(person);
    t.match(again.answer.location, /^\/login\/code/);
    // The session of a person without the factor, which got it elsewhere meanwhile, has ended.
    t.match((await visitor.get(authorize())).location, /^\/login\?/);
    const strong = await signedIn(person, secret);
    await setPolicy(twoFactors('everybody'));
    t.ok(isAnswered(await strong.visitor.get(authorize())));
    await setPolicy({ demands: [{ of: 'everybody', acr: 'phr', from: long }] });
    t.match((await strong.visitor.get(authorize())).location, /^\/login\?/);
    t.match((await strong.visitor.get(authorize({ prompt: 'none' }))).location, /error=login_required/);
  },
);

t.test('without the demanded factor, nobody signs in and no session answers', async (t) => {
  const person = await makePerson(container, home);
  const { visitor } = await signedIn(person);
  t.ok(isAnswered(await visitor.get(authorize())));
  await setPolicy(twoFactors('everybody'));
  t.notOk(isAnswered(await visitor.get(authorize())));
  const { answer } = await signedIn(person);
  t.equal(answer.status, 403);
  await setPolicy(twoFactors('everybody', '2090-01-01'));
  t.ok(isAnswered(await visitor.get(authorize())), 'the day has not come');
});

t.test('a demand is made of people with roles, or of members of groups', async (t) => {
  const [plain, administrator, member] = [
    await makePerson(container, home),
    await makePerson(container, home),
    await makePerson(container, home),
  ];
  await addMembership(container, {
    userId: administrator.id,
    role: 'ORG_USER_VIEWER',
    orgId,
    editor: testEditor,
  });
  const group = await addGroup(container, {
    ...{
      orgId,
      profile: { displayName: uniqueName('Group') },
      members: new Set([member.id]),
      editor: testEditor,
    },
  });
  const all = [plain, administrator, member];
  const statuses = async () => Promise.all(all.map(async (one) => (await signedIn(one)).answer.status));
  await setPolicy(twoFactors('roles'));
  t.same(await statuses(), [303, 403, 303]);
  await setPolicy({ demands: [{ of: 'groups', groups: [group.id], acr: '2', from: long }] });
  t.same(await statuses(), [303, 303, 403]);
});

t.test('only a policy that names groups reads them, once in a sign-in', async (t) => {
  const person = await makePerson(container, home);
  const { visitor } = await signedIn(person);
  const { existing } = container.groupMembers;
  let reads = 0;
  Object.assign(container.groupMembers, {
    existing: (...asked: Parameters<typeof existing>) => {
      if (asked[1].length > 0) reads++;
      return existing(...asked);
    },
  });
  t.teardown(() => Object.assign(container.groupMembers, { existing }));
  await setPolicy(twoFactors('roles'));
  await visitor.get(authorize());
  t.equal(reads, 0);
  await setPolicy({ demands: [{ of: 'groups', groups: ['g'], acr: '2', from: long }] });
  t.ok(isAnswered(await visitor.get(authorize())));
  t.equal(reads, 1);
});

const refresh = (token: string) =>
  postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: token },
    as: web.credentials,
  });

/** A refresh token of a sign-in with these methods. */
async function refreshTokenOf(person: User, amr: string[], more = {}) {
  const grant = { scope: 'openid offline_access', authTime: clock.now(), amr, ...more };
  return (await redeemCode({ container, call }, { client: web, person, grant })).body.refresh_token as string;
}

t.test('refresh tokens of a sign-in that is too weak end with the day of the policy', async (t) => {
  const person = await makePerson(container, home);
  const weak = await refreshTokenOf(person, ['pwd']);
  const remembered = await refreshTokenOf(person, ['pwd'], { policyAcr: '2' });
  const strong = await refreshTokenOf(person, ['pwd', 'otp', 'mfa']);
  const day = new Date(clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  await setPolicy(twoFactors('everybody', day));
  const before = [await refresh(weak), await refresh(remembered), await refresh(strong)];
  t.same(
    before.map(({ status }) => status),
    [200, 200, 200],
  );
  clock.advance(Math.ceil((Date.parse(`${day}T00:00:00Z`) - clock.now().getTime()) / 1000));
  const [after, ...others] = await Promise.all(before.map(({ body }) => refresh(body.refresh_token)));
  t.match(after, { status: 400, body: { error: 'invalid_grant' } });
  t.same(
    others.map(({ status }) => status),
    [200, 200],
  );
  await setPolicy({});
  t.match(await refresh(before[0]?.body.refresh_token), { status: 400 }, 'the family has ended');
});

t.test('where passwords are off, refresh tokens of passwords end', async (t) => {
  const person = await makePerson(container, home);
  const tokens = [
    await refreshTokenOf(person, ['pwd', 'otp', 'mfa']),
    await refreshTokenOf(person, ['hwk', 'user', 'mfa']),
  ];
  await setPolicy({ firstFactors: ['passkey'] });
  const answers = await Promise.all(tokens.map(refresh));
  t.same(
    answers.map(({ status }) => status),
    [400, 200],
  );
});

/** A refresh token of a sign-in with these proofs, as a process of this version keeps it. */
const refreshTokenBy = (person: User, proofs: readonly Proof[]) => {
  const timed = proofs.map((proof) => ({ ...proof, time: clock.now().getTime() }));
  return refreshTokenOf(person, amrOf(timed), { proofs: timed, policyAcr: levelForRules(timed) });
};
const password: Proof = { kind: 'password' };
const passkey: Proof = { kind: 'passkey', credentialId: 'a', userVerified: true, isSynced: false };

t.test('a refresh token ends with a factor that the policy withdraws', async (t) => {
  const demanded = twoFactors('everybody');
  const mail: Proof = { kind: 'mailCode' };
  const rows: readonly [name: string, proofs: readonly Proof[], before: SignInPolicy, after: SignInPolicy][] =
    [
      [
        'codes by mail',
        [password, mail],
        { ...demanded, secondFactors: ['totp', 'mailCode'] },
        { ...demanded, secondFactors: ['totp'] },
      ],
      ['an app', [password, { kind: 'code' }], demanded, { ...demanded, secondFactors: ['passkey'] }],
      ['passkeys', [passkey], {}, { firstFactors: ['password'] }],
      ['links by mail', [{ kind: 'mailLink' }], { firstFactors: ['mailLink', 'password'] }, {}],
      [
        'other providers',
        [{ kind: 'connection', connectionId: 'c', strength: '2', begun: 0 }],
        {},
        { firstFactors: ['password'] },
      ],
    ];
  for (const [name, proofs, before, after] of rows) {
    const person = await makePerson(container, home);
    await setPolicy(before);
    const first = await refresh(await refreshTokenBy(person, proofs));
    t.equal(first.status, 200, `${name} count`);
    await setPolicy(after);
    const last = await refresh(first.body.refresh_token);
    t.match(last, { status: 400, body: { error: 'invalid_grant' } }, `${name} count no more`);
    await setPolicy(before);
    t.equal((await refresh(first.body.refresh_token)).status, 400, 'the family has ended');
  }
});

t.test('what is left of the proofs of a refresh token counts', async (t) => {
  const person = await makePerson(container, home);
  const token = await refreshTokenBy(person, [password, { kind: 'code' }, passkey]);
  await setPolicy({ ...twoFactors('everybody'), secondFactors: ['passkey'] });
  t.equal((await refresh(token)).status, 200);
});

t.test('a browser counts for as many days as the policy names at the moment', async (t) => {
  const person = await makePerson(container, home);
  const day = 86_400;
  const remembered: Proof = {
    ...{ kind: 'rememberedBrowser', credentialId: 'b', by: 'code' },
    provedAt: clock.now().getTime() - 5 * day * 1000,
  };
  const policy = { ...twoFactors('everybody'), rememberedBrowserDays: 10 };
  await setPolicy(policy);
  const { body } = await refresh(await refreshTokenBy(person, [password, remembered]));
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  const { id: userId, userName, displayName } = person;
  await visitor.get('/login');
  const agent = hashSecret(visitor.cookies.get('__Host-muster-agent') ?? '');
  const proofs = [password, remembered];
  await container.sessions.signIn(agent, { userId, orgId, userName, displayName, proofs });
  t.ok(isAnswered(await visitor.get(authorize())));
  await setPolicy({ ...policy, rememberedBrowserDays: 5 });
  t.notOk(isAnswered(await visitor.get(authorize())), 'the session must prove more');
  t.equal((await refresh(body.refresh_token)).status, 400, 'the refresh token has ended');
});

t.test('sessions end after the shorter life and idle time of the policy', async (t) => {
  const person = await makePerson(container, home);
  const { visitor } = await signedIn(person);
  await setPolicy({ sessionIdleSeconds: 600 });
  for (let used = 0; used < 3; used++) {
    clock.advance(500);
    t.ok(isAnswered(await visitor.get(authorize())), 'it is used');
  }
  clock.advance(601);
  t.notOk(isAnswered(await visitor.get(authorize())), 'it was idle');
  await setPolicy({ sessionSeconds: 900 });
  const second = await signedIn(person);
  clock.advance(899);
  t.ok(isAnswered(await second.visitor.get(authorize())));
  clock.advance(1);
  t.notOk(isAnswered(await second.visitor.get(authorize())));
  await setPolicy({ sessionSeconds: 31_536_000 });
  t.ok(
    isAnswered(await second.visitor.get(authorize())),
    'the time of the instance is shorter, and has not passed',
  );
});

t.test('refresh tokens end after the shorter life and idle time of the policy', async (t) => {
  const person = await makePerson(container, home);
  let token = await refreshTokenOf(person, ['pwd']);
  await setPolicy({ refreshTokenIdleSeconds: 600, refreshTokenSeconds: 1500 });
  for (let used = 0; used < 2; used++) {
    clock.advance(599);
    const { status, body } = await refresh(token);
    t.equal(status, 200);
    token = body.refresh_token;
  }
  clock.advance(400);
  t.equal((await refresh(token)).status, 400, 'the life is over');
  const idle = await refreshTokenOf(person, ['pwd']);
  clock.advance(600);
  t.equal((await refresh(idle)).status, 400);
});
