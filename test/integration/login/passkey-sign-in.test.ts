import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { checkPasskey, removePasskey } from '#src/authentication/passkeys/index.js';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { changeUser } from '#src/people/users/change-user.js';
import { bucketKeysOf, revocationBucket } from '#src/tokens/revocation-buckets.js';
import { makeCaller, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { whileAway } from '../../support/app/while-away.js';
import { humanUser } from '../../support/migration/imports.js';
import { formsOf, type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';
import { type Otherwise, optionsIn, SoftAuthenticator } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';
import { watchRedisCommands } from '../../support/stores/redis-commands.js';

const { container, app, call, clock } = await buildTestApp(t, {
  workers: true,
  loginFailureMilliseconds: 0,
  loginMaxFailures: 5,
  loginMaxFailuresPerAddress: 8,
});
const tenant = await makeTenant(container);
const home = (await container.organizations.find(tenant.orgId)) as Organization;
const instanceOwner = await makeCaller(container, tenant.orgId, ['IAM_OWNER']);
const { origin, hostname: rpId } = new URL(container.config.baseUrl);
const party = { id: rpId, origin };

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${(++lastAddress % 250) + 1}` });
const member = (organization = home) => makePerson(container, organization);

const enrol = (user: User, key = new SoftAuthenticator(), other: Otherwise = {}) =>
  enrolPasskey(container, user, { key, ...other });

/** Sends the login form as the script of the page does. */
const sendPasskey = (visitor: Visitor, page: Seen, fields: Record<string, string>) => {
  const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
  return visitor.post('/login/passkey', { ...hidden, ...fields });
};

/** Sends the answer of a key to the login page. */
async function signIn(
  key: SoftAuthenticator,
  other: Otherwise = {},
  { visitor = newVisitor(), page }: { visitor?: Visitor; page?: Seen } = {},
): Promise<{ visitor: Visitor; page: Seen; answer: Seen }> {
  const shown = page ?? (await visitor.get('/login?to=account'));
  const response = key.get(optionsIn(shown.text, 'get'), origin, other);
  return { visitor, page: shown, answer: await sendPasskey(visitor, shown, { response }) };
}

const right = { status: 303, location: /^\/account\?session=/ };
const wrong = { status: 400, text: /That passkey does not work here/ };
const eventsOf = async ({ id }: User, type: string) =>
  (await container.events.search({ aggregateId: id, limit: 100, ascending: true })).filter(
    (event) => event.type === type,
  );
const failed = async (user: User) =>
  (await eventsOf(user, 'user.human.passkey.check.failed')).map(({ payload }) => payload['reason']);
const sessionOf = async ({ id }: User) => (await container.sessions.ofUser(id))[0];
const storedKey = async ({ id, orgId }: User, key: SoftAuthenticator) =>
  (await container.webauthnCredentials.findMany(orgId, [id]))[0]?.items[key.id];

t.test('a passkey signs in alone, without a name and without a password hash', async (t) => {
  const user = await member();
  const key = await enrol(user);
  key.counter = 1;
  const { visitor, page, answer } = await signIn(key);
  t.match(page.text, /autocomplete="username webauthn"/);
  t.match(optionsIn(page.text, 'get'), { rpId, userVerification: 'required', allowCredentials: [] });
  t.match(answer, right);
  t.match((await visitor.get('/account')).text, new RegExp(`Signed in as ${user.userName}`));
  t.match((await sessionOf(user))?.proofs, [
    { kind: 'passkey', credentialId: key.id, userVerified: true, isSynced: false },
  ]);
  t.match(await storedKey(user, key), { counter: 1, lastUsed: clock.now(), beganSignIn: true });
  t.equal((await eventsOf(user, 'user.human.passkey.check.succeeded')).length, 1);
  t.equal((await eventsOf(user, 'user.human.password.check.succeeded')).length, 0);
});

t.test('it is enough for who has one-time codes, and a touch alone is not', async (t) => {
  const user = await member();
  await giveTotp(container, user);
  clock.advance(1);
  const key = await enrol(user);
  t.match((await signIn(key)).answer, right);
  t.match((await signIn(key, { flags: 0x01 })).answer, wrong, 'whoever finds the key is not the person');
});

t.test('an answer that is not right signs in nobody', async (t) => {
  const user = await member();
  const [key, other] = [await enrol(user), await enrol(await member())];
  const hostile: Record<string, Otherwise> = {
    'another origin': { origin: 'https://login.example.net' },
    'a port of another service': { origin: `${origin}:8443` },
    'another RP ID': { rpId: 'example.net' },
    'the type of an enrolment': { type: 'webauthn.create' },
    'a challenge of its own': { challenge: randomBytes(32).toString('base64url') },
    'no challenge': { challenge: '' },
    'a frame of another origin': { crossOrigin: true },
    'nobody present': { flags: 0x04 },
    'a backup of a key that cannot be copied': { flags: 0x15 },
    'no user handle': { userHandle: undefined },
    'the user handle of somebody else': { userHandle: other.userHandle },
    'a key of somebody else': { id: other.id, userHandle: other.userHandle },
    'no signature': { signature: Buffer.from([1]) },
    'a signature of zeroes': { signature: Buffer.from('3006020100020100', 'hex') },
    'an unknown key': { id: 'AAAAAAAAAAAAAAAAAAAAAA' },
    'a name of all objects': { id: 'constructor' },
  };
  for (const [name, changes] of Object.entries(hostile))
    t.match((await signIn(key, changes)).answer, wrong, name);
  t.ok((await failed(user)).every((reason) => reason === 'passkeyWrong'));
  t.match((await signIn(key)).answer, right);
});

t.test('wrong answers at the same time leave no more events than the limit of their address', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const visitor = newVisitor();
  const page = await visitor.get('/login');
  const response = key.get(optionsIn(page.text, 'get'), origin, { signature: Buffer.from([1]) });
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => sendPasskey(visitor, page, { response })),
  );
  const most = container.config.loginMaxFailuresPerAddress;
  t.equal(answers.filter(({ status }) => status === 400).length, most, 'no more of them are verified');
  t.equal(answers.filter(({ status }) => status === 429).length, answers.length - most);
  t.equal((await failed(user)).length, most);
  t.match((await signIn(key, {}, { visitor })).answer, { status: 429 }, 'the address waits');
  t.match((await signIn(key)).answer, right, 'and nobody else does');
});

t.test('an attempt for which nothing could be read does not count', async (t) => {
  const key = await enrol(await member());
  const address = '203.0.113.30';
  const visitor = visit(app, container, { address });
  const page = await visitor.get('/login?to=account');
  const { find } = container.loginSteps;
  Object.assign(container.loginSteps, { find: () => Promise.reject(new Error('away')) });
  t.teardown(() => Object.assign(container.loginSteps, { find }));
  t.equal((await signIn(key, {}, { visitor, page })).answer.status, 500);
  Object.assign(container.loginSteps, { find });
  const { failures } = await container.loginAttempts.standing(`passkey:${address}`, 8);
  t.equal(failures, 0);
  t.match((await signIn(key, {}, { visitor, page })).answer, right, 'nor is the challenge used');
});

t.test('an attempt that was right counts no more, whatever follows', async (t) => {
  const key = await enrol(await member());
  const address = '203.0.113.31';
  const failures = async () => (await container.loginAttempts.standing(`passkey:${address}`, 8)).failures;
  const visitor = visit(app, container, { address });
  const failing = async () => {
    t.equal((await signIn(key, {}, { visitor })).answer.status, 500);
  };
  await whileAway(t, [container.events, 'record'], failing);
  t.equal(await failures(), 0, 'after an event that failed');
  await whileAway(t, [container.sessions, 'signIn'], failing);
  t.equal(await failures(), 0, 'after a session that failed');
  t.match((await signIn(key, {}, { visitor })).answer, right);
  t.equal(await failures(), 0, 'nor after a sign-in');
});

t.test('right answers at the same time lock no address', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const address = '203.0.113.7';
  const most = container.config.loginMaxFailuresPerAddress;
  for (let round = 0; round < 3; round++) {
    const pages = await Promise.all(
      Array.from({ length: most }, async () => {
        const visitor = visit(app, container, { address });
        return { visitor, page: await visitor.get('/login?to=account') };
      }),
    );
    const answers = await Promise.all(pages.map((one) => signIn(key, {}, one)));
    t.ok(answers.every(({ answer }) => answer.status === 303));
  }
});

t.test('wrong second passkeys count for the person at an address, also at the same time', async (t) => {
  const user = await member();
  await giveTotp(container, user);
  clock.advance(1);
  const key = await enrol(user);
  const address = '203.0.113.20';
  const atSecond = async (visitor = visit(app, container, { address })) => {
    const fields = { loginName: user.userName, password: goodPassword };
    await visitor.fill(await visitor.get('/login?to=account'), fields, '/login');
    return { visitor, page: await visitor.get('/login/second-passkey') };
  };
  const send = ({ visitor, page }: Awaited<ReturnType<typeof atSecond>>, other: Otherwise = {}) => {
    const response = key.get(optionsIn(page.text, 'get'), origin, other);
    return visitor.fill(page, { response }, '/login/second-passkey');
  };
  const most = container.config.loginMaxFailures;
  const browsers: Awaited<ReturnType<typeof atSecond>>[] = [];
  // Passwords at the same time would lock the login name.
  for (let i = 0; i < most + 6; i++) browsers.push(await atSecond());
  const next = await atSecond();
  const bad = { signature: Buffer.from([1]) };
  const answers = await Promise.all(browsers.map((browser) => send(browser, bad)));
  t.equal(answers.filter(({ status }) => status === 400).length, most, 'no more of them are verified');
  t.equal(answers.filter(({ status }) => status === 429).length, 6);
  t.equal((await failed(user)).length, most, 'nor leave more events');
  t.match(await send(next), { status: 429, text: /Too many/ }, 'a right one waits too');
  t.equal((await eventsOf(user, 'user.locked')).length, 0, 'the person is not locked');
  const elsewhere = await atSecond(newVisitor());
  const codePage = await elsewhere.visitor.get('/login/code');
  t.equal((await elsewhere.visitor.fill(codePage, { code: '000000' }, '/login/code')).status, 400);
  t.match((await send(elsewhere)).location, /^\/account/, 'nor does it wait at another address');
  const binding = { purpose: 'secondFactor', agent: 'known', orgId: user.orgId, userId: user.id } as const;
  const response = key.get({ challenge: container.passkeyChallenges.make(binding), rpId }, origin);
  const { kind } = await checkPasskey(container, {
    ...{ response, party, binding, address, isKnownBrowser: true },
  });
  t.equal(kind, 'right', 'nor at a browser where the person has signed in');
});

t.test('the wait for wrong second passkeys ends, and lets one attempt through', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const binding = { purpose: 'secondFactor', agent: 'a', orgId: user.orgId, userId: user.id } as const;
  const check = async (other: Otherwise = {}) => {
    const challenge = container.passkeyChallenges.make(binding);
    const response = key.get({ challenge, rpId }, origin, other);
    // Attempts of an address count apart, so this is a browser that the person knows.
    return checkPasskey(container, {
      ...{ response, party, binding, address: '203.0.113.22', isKnownBrowser: true },
    });
  };
  const bad = { signature: Buffer.from([1]) };
  const { loginMaxFailures, loginLockSeconds } = container.config;
  for (let count = 0; count < loginMaxFailures; count++) t.equal((await check(bad)).kind, 'wrong');
  t.match(await check(), { kind: 'locked', retryAfterSeconds: loginLockSeconds });
  clock.advance(loginLockSeconds - 1);
  t.equal((await check()).kind, 'locked', 'not a second earlier');
  clock.advance(1);
  t.equal((await check(bad)).kind, 'wrong');
  t.match(
    await check(),
    { kind: 'locked', retryAfterSeconds: 2 * loginLockSeconds },
    'the next wait is longer',
  );
  clock.advance(2 * loginLockSeconds);
  t.equal((await check()).kind, 'right');
  for (let count = 1; count < loginMaxFailures; count++) t.equal((await check(bad)).kind, 'wrong');
  t.equal((await check()).kind, 'right', 'a right one ends the count');
});

t.test('answers that are none count too', async (t) => {
  const user = await member();
  await giveTotp(container, user);
  clock.advance(1);
  await enrol(user);
  const fields = { loginName: user.userName, password: goodPassword };
  const statuses: number[] = [];
  for (let i = 0; i <= container.config.loginMaxFailures; i++) {
    const visitor = visit(app, container, { address: '203.0.113.21' });
    await visitor.fill(await visitor.get('/login?to=account'), fields, '/login');
    const page = await visitor.get('/login/second-passkey');
    statuses.push((await visitor.fill(page, { response: 'x' }, '/login/second-passkey')).status);
  }
  t.equal(statuses.at(-2), 400);
  t.equal(statuses.at(-1), 429);
  t.same(await failed(user), ['passkeyWrong'], 'the last one is told');
});

t.test('an answer counts once, for the browser whose page asked', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const visitor = newVisitor();
  const page = await visitor.get('/login?to=account');
  const response = key.get(optionsIn(page.text, 'get'), origin);
  const thief = newVisitor();
  t.match(await sendPasskey(thief, await thief.get('/login'), { response }), wrong);
  const answers = await Promise.all([1, 2, 3].map(() => sendPasskey(visitor, page, { response })));
  t.equal(answers.filter(({ location }) => location?.startsWith('/account')).length, 1);
  const again = newVisitor();
  const late = await again.get('/login');
  clock.advance(601);
  t.match(await sendPasskey(again, late, { response: key.get(optionsIn(late.text, 'get'), origin) }), wrong);
  const enrolment = container.passkeyChallenges.make({
    purpose: 'enrol',
    agent: 'a',
    orgId: home.id,
    userId: user.id,
  });
  t.match((await signIn(key, { challenge: enrolment })).answer, wrong, 'a challenge of another purpose');
});

t.test('a counter that goes back is refused and told, and synced keys have none', async (t) => {
  const user = await member();
  const key = await enrol(user);
  key.counter = 5;
  t.match((await signIn(key)).answer, right);
  t.match((await signIn(key)).answer, wrong, 'the same value');
  key.counter = 4;
  t.match((await signIn(key)).answer, wrong);
  key.counter = 0;
  t.match((await signIn(key)).answer, wrong);
  t.same(await failed(user), ['passkeyCounter', 'passkeyCounter', 'passkeyCounter']);
  t.match(await storedKey(user, key), { counter: 5 });
  const synced = await enrol(user, new SoftAuthenticator(), { flags: 0x5d });
  for (let round = 0; round < 3; round++) t.match((await signIn(synced, { flags: 0x1d })).answer, right);
  t.match(await storedKey(user, synced), { counter: 0, backupEligible: true, backedUp: true });
  t.match((await sessionOf(user))?.proofs, [{ isSynced: true }]);
});

t.test('a person who may not sign in does not sign in with a passkey', async (t) => {
  const user = await member();
  const key = await enrol(user);
  await changeUser(container, {
    ...{ organization: home, id: user.id, editor: testEditor },
    change: (current) => ({ profile: { ...current, active: false } }),
  });
  t.match((await signIn(key)).answer, wrong);
  t.same(await failed(user), ['inactive']);
});

t.test('a passkey that was removed between two steps does nothing', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const visitor = newVisitor();
  const page = await visitor.get('/login');
  await removePasskey(container, { orgId: user.orgId, id: user.id, passkeyId: key.id, editor: testEditor });
  t.match((await signIn(key, {}, { visitor, page })).answer, wrong);
});

t.test('an application of one organization takes the passkeys of its people alone', async (t) => {
  const foreign = await makeTenant(container);
  const abroad = (await container.organizations.find(foreign.orgId)) as Organization;
  const key = await enrol(await member(abroad));
  const binding = { purpose: 'signIn', agent: 'a', orgId: home.id } as const;
  const challenge = container.passkeyChallenges.make(binding);
  const check = (orgId: string | undefined) =>
    checkPasskey(container, {
      response: key.get({ challenge, rpId }, origin),
      ...{ party, binding: { ...binding, orgId }, address: '192.0.2.1' },
    });
  t.equal((await check(home.id)).kind, 'wrong');
  t.equal((await check(abroad.id)).kind, 'wrong', 'a challenge of another organization');
  t.equal((await check(undefined)).kind, 'wrong', 'nor is it one for all');
});

t.test('an organization that imports the passkey of another one takes no sign-in from it', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const thief = await makeTenant(container);
  const stolen = { id: key.id, publicKey: key.coseKey.toString('base64url'), counter: 0 };
  const import_ = async (credential: object) => {
    const userId = uniqueName('copy');
    const { body } = await call('POST /admin/v1/import', {
      as: instanceOwner,
      body: {
        timeout: '2m',
        dataOrgs: {
          orgs: [
            {
              orgId: thief.orgId,
              humanUsers: [humanUser(userId, { userId })],
              webauthnCredentials: [{ userId, credentials: [credential] }],
            },
          ],
        },
      },
    });
    t.equal(body.errors, undefined, JSON.stringify(body.errors));
    return (await container.users.find(thief.orgId, userId)) as User;
  };
  await import_({ ...stolen, userHandle: key.userHandle });
  await signIn(key);
  t.ok(await sessionOf(user), 'the person who made it here is meant');
  // A passkey that came in with its people signs in, with the handle of the former service.
  const own = new SoftAuthenticator('RS256');
  own.userHandle = Buffer.from('former handle').toString('base64url');
  const moved = await import_({ ...stolen, id: own.id, publicKey: own.coseKey.toString('base64url'), rpId });
  t.equal((await container.accounts.find(thief.orgId, moved.id))?.passkeys?.count, 1);
  t.match((await signIn(own)).answer, right);
  t.ok(await sessionOf(moved));
  // Two organizations have it, so nobody is meant.
  const another = await makeTenant(container);
  const twice = uniqueName('twice');
  await call('POST /admin/v1/import', {
    as: instanceOwner,
    body: {
      timeout: '2m',
      dataOrgs: {
        orgs: [
          {
            orgId: another.orgId,
            humanUsers: [humanUser(twice, { userId: twice })],
            webauthnCredentials: [
              {
                userId: twice,
                credentials: [{ id: own.id, publicKey: own.coseKey.toString('base64url'), counter: 0 }],
              },
            ],
          },
        ],
      },
    },
  });
  t.match((await signIn(own)).answer, wrong);
});

t.test(
  'a passkey is a second factor beside one-time codes, and its page names credentials only then',
  async (t) => {
    const user = await member();
    const secret = await giveTotp(container, user);
    clock.advance(1);
    const [key, other] = [await enrol(user), await enrol(await member())];
    const visitor = newVisitor();
    t.match((await visitor.get('/login/second-passkey')).location, /^\/login\?again/, 'not before a proof');
    const fields = { loginName: user.userName, password: goodPassword };
    const code = await visitor.follow(await visitor.fill(await visitor.get('/login'), fields, '/login'));
    t.match(code.text, /href="[^"]*\/login\/second-passkey"[^>]*>Use a passkey/);
    const page = await visitor.get('/login/second-passkey');
    const options = optionsIn(page.text, 'get');
    t.match(options, { userVerification: 'preferred', allowCredentials: [{ id: key.id }] });
    t.match(page.text, /Use your authenticator app/);
    const send = (one: SoftAuthenticator, changes: Otherwise = {}) =>
      visitor.fill(page, { response: one.get(options, origin, changes) }, '/login/second-passkey');
    t.match(await send(other), wrong, 'a passkey of somebody else');
    t.match(await send(key, { challenge: randomBytes(16).toString('base64url') }), wrong);
    const done = await send(key, { flags: 0x01, userHandle: undefined });
    t.match(done.location, /^\/account\?session/, 'a touch is a second factor');
    t.match((await sessionOf(user))?.proofs, [
      { kind: 'password' },
      { kind: 'passkey', userVerified: false },
    ]);
    // The code still does as well.
    const another = newVisitor();
    const asked = await another.follow(await another.fill(await another.get('/login'), fields, '/login'));
    clock.advance(30);
    t.match(
      (await another.fill(asked, { code: totpCode(secret, totpStep(clock.now())) })).location,
      /^\/account/,
    );
  },
);

t.test('a step is void once the passkeys of the person change', async (t) => {
  const user = await member();
  await giveTotp(container, user);
  clock.advance(1);
  const key = await enrol(user);
  const visitor = newVisitor();
  const fields = { loginName: user.userName, password: goodPassword };
  await visitor.fill(await visitor.get('/login'), fields, '/login');
  const page = await visitor.get('/login/second-passkey');
  await removePasskey(container, { orgId: user.orgId, id: user.id, passkeyId: key.id, editor: testEditor });
  const response = key.get(optionsIn(page.text, 'get'), origin);
  t.match((await visitor.fill(page, { response }, '/login/second-passkey')).location, /^\/login\?again=1/);
});

t.test('failures of one address are counted apart from passwords', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const visitor = visit(app, container, { address: '203.0.113.7' });
  for (let count = 0; count < 8; count++)
    t.match((await signIn(key, { type: 'x' }, { visitor })).answer, wrong);
  t.match((await signIn(key, {}, { visitor })).answer, { status: 429, text: /Too many attempts/ });
  const fields = { loginName: user.userName, password: goodPassword };
  t.equal((await visitor.fill(await visitor.get('/login'), fields, '/login')).status, 303);
  const elsewhere = visit(app, container, { address: '203.0.113.8' });
  for (let count = 0; count < 12; count++)
    t.match((await signIn(key, {}, { visitor: elsewhere })).answer, right);
});

t.test('forms of other pages and other browsers are refused', async (t) => {
  const user = await member();
  const key = await enrol(user);
  const visitor = newVisitor();
  const page = await visitor.get('/login');
  const response = key.get(optionsIn(page.text, 'get'), origin);
  for (const path of ['/login/passkey', '/login/second-passkey'])
    t.equal((await visitor.post(path, { response, request: '' })).status, 403, path);
  t.match((await visitor.get('/login/passkey')).location, /^\/login$/);
  t.match(await sendPasskey(visitor, page, { response: '' }), wrong);
  t.equal((await sendPasskey(visitor, page, { response: 'A'.repeat(40_000) })).status, 413);
});

t.test('a sign-in of an application sends few commands to the stores', async (t) => {
  const person = await member();
  const key = await enrol(person);
  const web = await makeApplication(container, home.id);
  const visitor = newVisitor();
  const query = { client_id: web.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const address = `/oauth/v2/authorize?${new URLSearchParams(query)}`;
  // The person and the application are in memory from now on.
  const before = newVisitor();
  const earlier = await signIn(
    key,
    {},
    { visitor: before, page: await before.follow(await before.get(address)) },
  );
  await before.get(earlier.answer.location ?? '');
  // Redis is filled with revocations in the background, and MongoDB is asked for them until then.
  const trusted = bucketKeysOf(container.config.redisPrefix).epoch(revocationBucket(person.id));
  while ((await container.redis.exists(trusted)) === 0) await setTimeout(10);
  const redis = watchRedisCommands(container.redis);
  const mongo = watchCommands();
  t.teardown(() => {
    redis.stop();
    mongo.stop();
  });
  /** The commands to Redis are told by name if there are others. Commands that need not wait for each other are one message. */
  const sends = (
    [inRedis, messages]: readonly [commands: number, messages: number],
    inMongo: readonly string[] | undefined,
    why: string,
  ) => {
    const names = redis.names.splice(0);
    // Workers ask for jobs meanwhile.
    const ofSignIn = mongo.commands.splice(0).flatMap((command) => {
      const [[name, collection] = []] = Object.entries(command);
      return /^(?:users|webauthnCredentials|events)$/.test(String(collection))
        ? [`${name} ${collection}`]
        : [];
    });
    t.equal(names.length, inRedis, `${why}: ${names.join(' ')}`);
    t.equal(redis.messages(), messages, `${why}: messages`);
    if (inMongo !== undefined) t.same(ofSignIn, inMongo, why);
  };
  const begun = await visitor.get(address);
  sends([0, 0], [], 'nobody is known yet');
  const page = await visitor.follow(begun);
  sends([2, 1], [], 'the request, and who is signed in');
  const { answer } = await signIn(key, {}, { visitor, page });
  const ofAnswer = ['aggregate webauthnCredentials', 'update webauthnCredentials', 'insert events'];
  sends([9, 3], ofAnswer, 'the answer');
  const done = await visitor.get(answer.location ?? '');
  t.match(done.location, /[?&]code=/);
  sends([6, 2], undefined, 'the request, the session, and the code');
});
