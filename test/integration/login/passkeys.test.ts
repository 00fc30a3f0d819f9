import { randomBytes } from 'node:crypto';
import t from 'tap';
import type { User } from '#src/directory/user.js';
import { makeTenant } from '../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';
import {
  type CborValue,
  cbor,
  coseMap,
  type Otherwise,
  optionsIn,
  SoftAuthenticator,
} from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { orgId } = await makeTenant(container);
const home = await container.organizations.find(orgId);
if (home === undefined) throw new Error('The organization is gone');
const origin = new URL(container.config.baseUrl).origin;
const rpId = new URL(container.config.baseUrl).hostname;

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${(++lastAddress % 250) + 1}` });

async function signedIn(user: User): Promise<Visitor> {
  const visitor = newVisitor();
  const fields = { loginName: user.userName, password: goodPassword };
  const answer = await visitor.fill(await visitor.get('/login'), fields);
  if (answer.status !== 303) throw new Error(answer.text.slice(0, 300));
  return visitor;
}

const member = () => makePerson(container, home as NonNullable<typeof home>);
const passkeysOf = async ({ id }: User) =>
  Object.values((await container.webauthnCredentials.findMany(orgId, [id]))[0]?.items ?? {});
const markOf = async ({ id }: User) => (await container.accounts.find(orgId, id))?.passkeys;
const typesOf = async ({ id }: User) =>
  (await container.events.search({ aggregateId: id, limit: 100, ascending: true })).map(({ type }) => type);

/** Adds a passkey on the account page. */
async function add(visitor: Visitor, key: SoftAuthenticator, other: Otherwise = {}): Promise<Seen> {
  const page = await visitor.get('/account/passkeys/new');
  const response = key.create(optionsIn(page.text, 'create'), origin, other);
  return visitor.fill(page, { response }, '/account/passkeys');
}

t.test('a person adds, renames and removes passkeys on the account page', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  t.match((await visitor.get('/account')).text, /You have no passkey\./);
  const page = await visitor.get('/account/passkeys/new');
  t.match(page.headers['content-security-policy'], /script-src 'self'/);
  const options = optionsIn(page.text, 'create');
  t.match(options, {
    rp: { id: rpId, name: home?.name },
    user: { name: user.userName },
    attestation: 'none',
    excludeCredentials: [],
  });
  t.notMatch(Buffer.from(options.user?.id ?? '', 'base64url').toString('latin1'), user.id);
  const key = new SoftAuthenticator();
  const response = key.create(options, origin, { flags: 0x5d });
  const added = await visitor.fill(page, { response }, '/account/passkeys');
  t.match(added.location, /done=passkeyAdded/);
  t.match((await visitor.get(added.location ?? '')).text, /The passkey is added/);
  t.match(await passkeysOf(user), [
    {
      ...{ id: key.id, rpId, counter: 0, label: 'Passkey', transports: ['internal', 'hybrid'] },
      ...{ userHandle: key.userHandle, backupEligible: true, backedUp: true, madeHere: true },
    },
  ]);
  t.equal((await markOf(user))?.count, 1);
  t.match(await visitor.fill(page, { response }, '/account/passkeys'), {
    status: 400,
    text: /was not added/,
  });

  const another = await visitor.get('/account/passkeys/new');
  const second = optionsIn(another.text, 'create');
  t.equal(second.user?.id, key.userHandle, 'a person has one user handle');
  t.match(second.excludeCredentials, [{ id: key.id }]);

  const edit = await visitor.get(`/account/passkeys/edit?passkey=${key.id}`);
  const renamed = await visitor.fill(edit, { label: ' My phone ' }, '/account/passkeys/edit');
  t.match(renamed.location, /done=passkeyRenamed/);
  t.match((await visitor.get('/account')).text, /<strong>My phone<\/strong>/);

  const elsewhere = await signedIn(user);
  clock.advance(1);
  const removed = await visitor.fill(edit, {}, '/account/passkeys/remove');
  t.match((await visitor.get(removed.location ?? '')).text, /The passkey is removed/);
  t.same(await passkeysOf(user), []);
  t.equal(await markOf(user), undefined);
  t.match((await elsewhere.get('/account')).location, /^\/login/, 'other browsers are signed out');
  t.match(await typesOf(user), [
    ...['user.human.added', 'user.human.password.check.succeeded', 'user.human.passkey.added'],
    ...['user.human.passkey.renamed', 'user.human.password.check.succeeded', 'user.human.passkey.removed'],
  ]);
});

t.test('each algorithm that is offered works, and an unknown authenticator has the usual name', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  const names = ['ES256', 'EdDSA', 'RS256'] as const;
  for (const name of names) t.equal((await add(visitor, new SoftAuthenticator(name))).status, 303, name);
  const aaguid = Buffer.from('ea9b8d664d011d213ce4b6b48cb575d4', 'hex');
  await add(visitor, new SoftAuthenticator(), { aaguid });
  t.same(
    (await passkeysOf(user)).map(({ label }) => label),
    ['Passkey', 'Passkey', 'Passkey', 'Google Password Manager'],
  );
});

t.test('an enrolment that is not what the page asked for adds nothing', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  const good = new SoftAuthenticator();
  const key = (entries: readonly (readonly [number, CborValue])[]) => ({ coseKey: coseMap(entries) });
  const point = Buffer.alloc(32, 1);
  const hostile: Record<string, Otherwise> = {
    'another origin': { origin: 'https://login.example.net' },
    'another RP ID': { rpId: 'example.net' },
    'the type of a sign-in': { type: 'webauthn.get' },
    'another challenge': { challenge: randomBytes(32).toString('base64url') },
    'a frame of another origin': { crossOrigin: true },
    'nobody present': { flags: 0x44 },
    'no credential': { flags: 0x05 },
    'a backup of a key that cannot be copied': { flags: 0x55 },
    'extensions that are not there': { flags: 0xc5 },
    'another algorithm': key([
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, Buffer.alloc(48, 1)],
      [-3, Buffer.alloc(48, 2)],
    ]),
    'an algorithm that does not fit the key': key([
      [1, 2],
      [3, -8],
      [-1, 1],
      [-2, point],
      [-3, point],
    ]),
    'a curve that does not fit the key': key([
      [1, 2],
      [3, -7],
      [-1, 3],
      [-2, point],
      [-3, point],
    ]),
    'a short coordinate': key([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point],
      [-3, Buffer.alloc(8, 1)],
    ]),
    'a huge RSA key': key([
      [1, 3],
      [3, -257],
      [-1, Buffer.alloc(2_000, 255)],
      [-2, Buffer.from([1, 0, 1])],
    ]),
    'a huge exponent': key([
      [1, 3],
      [3, -257],
      [-1, Buffer.alloc(256, 255)],
      [-2, Buffer.alloc(256, 255)],
    ]),
    'a weak RSA key': key([
      [1, 3],
      [3, -257],
      [-1, Buffer.alloc(64, 255)],
      [-2, Buffer.from([1, 0, 1])],
    ]),
    'no key': { coseKey: cbor(7) },
    'a key without end': { coseKey: Buffer.from('bf01', 'hex') },
    'a key of nested lists': { coseKey: Buffer.alloc(8_000, 0x81) },
    'an endless identifier': { id: Buffer.alloc(1_100, 7).toString('base64url') },
  };
  for (const [name, other] of Object.entries(hostile)) {
    const answer = await add(visitor, good, other);
    t.match(answer, { status: 400, text: /The passkey was not added/ }, name);
  }
  t.same(await passkeysOf(user), []);
  t.equal((await add(visitor, good)).status, 303, 'the same authenticator may try again');
});

t.test('texts that are no answer of a browser add nothing and break nothing', async (t) => {
  const visitor = await signedIn(await member());
  const page = await visitor.get('/account/passkeys/new');
  const good = JSON.parse(new SoftAuthenticator().create(optionsIn(page.text, 'create'), origin));
  const part = (name: string, value: unknown) =>
    JSON.stringify({ ...good, response: { ...good.response, [name]: value } });
  const text = (value: string) => Buffer.from(value).toString('base64url');
  const texts = [
    ...[
      '',
      '{',
      'null',
      '[]',
      '7',
      '"x"',
      '{}',
      '{"response":null}',
      '[[[[',
      JSON.stringify({ ...good, id: 5 }),
    ],
    JSON.stringify({ ...good, type: 'password' }),
    JSON.stringify({ ...good, id: 'AAAA' }),
    ...['null', '[]', '{"challenge":7}', '{"challenge":{}}', '\u0000'].map((data) =>
      part('clientDataJSON', text(data)),
    ),
    ...['', 'ä', 7, null, {}, 'A'.repeat(22_000)].map((value) => part('attestationObject', value)),
    // Bombs of CBOR: a depth without end, a length that is a lie, a text of a gigabyte, indefinite lengths, tags of tags.
    ...[
      '81'.repeat(9_000),
      'bbffffffffffffffff',
      '9bffffffffffffffff',
      '7a40000000',
      '5f',
      'bf',
      'c1'.repeat(9_000),
    ].map((hex) => part('attestationObject', Buffer.from(hex, 'hex').toString('base64url'))),
  ];
  for (const response of texts) {
    const began = performance.now();
    const answer = await visitor.fill(page, { response }, '/account/passkeys');
    t.match(answer, { status: 400, text: /The passkey was not added/ }, response.slice(0, 100));
    t.ok(performance.now() - began < 1_000, 'and takes no time');
  }
  const huge = await visitor.fill(page, { response: 'A'.repeat(40_000) }, '/account/passkeys');
  t.equal(huge.status, 413);
});

t.test('attestations of every format are ignored', async (t) => {
  const visitor = await signedIn(await member());
  const formats = [
    'none',
    'packed',
    'tpm',
    'android-key',
    'android-safetynet',
    'fido-u2f',
    'apple',
    'compound',
    'x',
  ];
  const statements: CborValue[] = [
    new Map<string, CborValue>(),
    new Map<string, CborValue>([
      ['alg', -7],
      ['sig', Buffer.alloc(64)],
      ['x5c', [Buffer.from('30', 'hex')]],
    ]),
    new Map<string, CborValue>([
      ['ver', '2.0'],
      ['certInfo', Buffer.alloc(4)],
      ['pubArea', Buffer.alloc(4)],
    ]),
  ];
  for (const fmt of formats)
    for (const attStmt of formats.indexOf(fmt) % 2 ? statements : statements.slice(0, 1))
      t.equal((await add(visitor, new SoftAuthenticator(), { fmt, attStmt })).status, 303, fmt);
});

t.test('a passkey belongs to one person, and a person has at most 64', async (t) => {
  const [one, other] = [await member(), await member()];
  const key = new SoftAuthenticator();
  const visitor = await signedIn(one);
  t.equal((await add(visitor, key)).status, 303);
  t.match(await add(await signedIn(other), key), { status: 400, text: /in use already/ });
  t.match(await add(visitor, key), { status: 400, text: /in use already/ }, 'also of the same person');
  for (let count = 1; count < 64; count++) await enrolPasskey(container, one);
  t.match(await add(visitor, new SoftAuthenticator()), { status: 400, text: /can have 64 passkeys/ });
  t.equal((await passkeysOf(one)).length, 64);
  const foreign = await makeTenant(container);
  const abroad = await container.organizations.find(foreign.orgId);
  const stranger = await makePerson(container, abroad as NonNullable<typeof abroad>);
  t.match(await add(await signedIn(stranger), key), { status: 400, text: /in use already/ });
});

t.test('a challenge is for one browser, one person and ten minutes', async (t) => {
  const [user, other] = [await member(), await member()];
  const [visitor, sameUser, stranger] = [await signedIn(user), await signedIn(user), await signedIn(other)];
  const key = new SoftAuthenticator();
  const page = await visitor.get('/account/passkeys/new');
  const response = key.create(optionsIn(page.text, 'create'), origin);
  for (const thief of [sameUser, stranger]) {
    const own = await thief.get('/account/passkeys/new');
    t.equal((await thief.fill(own, { response }, '/account/passkeys')).status, 400);
  }
  clock.advance(601);
  t.equal((await visitor.fill(page, { response }, '/account/passkeys')).status, 400);
  t.same(await passkeysOf(user), []);
});

t.test('two tabs that send one answer add one passkey', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  const page = await visitor.get('/account/passkeys/new');
  const response = new SoftAuthenticator().create(optionsIn(page.text, 'create'), origin);
  const answers = await Promise.all(
    [1, 2, 3].map(() => visitor.fill(page, { response }, '/account/passkeys')),
  );
  t.same(answers.map(({ status }) => status).sort(), [303, 400, 400]);
  t.equal((await passkeysOf(user)).length, 1);
});

t.test('names of passkeys', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  const key = new SoftAuthenticator();
  await add(visitor, key);
  const edit = await visitor.get(`/account/passkeys/edit?passkey=${key.id}`);
  for (const label of [
    '',
    '   ',
    'x'.repeat(61),
    'a\u0000b',
    'a\nb',
    'a\tb',
    '\u202eabc',
    `a${'\u0301'.repeat(40)}`,
  ]) {
    const answer = await visitor.fill(edit, { label }, '/account/passkeys/edit');
    t.match(answer, { status: 400, text: /at most 60 characters/ }, JSON.stringify(label));
  }
  await visitor.fill(edit, { label: '<b>"&\'' }, '/account/passkeys/edit');
  t.match((await visitor.get('/account')).text, /<strong>&lt;b&gt;&quot;&amp;&#39;<\/strong>/);
  t.match(await passkeysOf(user), [{ label: '<b>"&\'' }]);
});

t.test('a passkey of somebody else is no page', async (t) => {
  const [user, other] = [await member(), await member()];
  const key = new SoftAuthenticator();
  await add(await signedIn(user), key);
  const visitor = await signedIn(other);
  t.match((await visitor.get(`/account/passkeys/edit?passkey=${key.id}`)).location, /^\/account\?/);
  const own = new SoftAuthenticator();
  await add(visitor, own);
  const edit = await visitor.get(`/account/passkeys/edit?passkey=${own.id}`);
  for (const passkey of [key.id, '__proto__', 'constructor', '']) {
    t.match(
      (await visitor.fill(edit, { passkey, label: 'x' }, '/account/passkeys/edit')).location,
      /^\/account\?/,
    );
    t.match((await visitor.fill(edit, { passkey }, '/account/passkeys/remove')).location, /^\/account\?/);
  }
  t.equal((await passkeysOf(user)).length, 1);
  t.match(await passkeysOf(other), [{ label: 'Passkey' }]);
});

t.test('after a while a person proves again who it is', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  const key = new SoftAuthenticator();
  await add(visitor, key);
  const page = await visitor.get('/account/passkeys/new');
  const edit = await visitor.get(`/account/passkeys/edit?passkey=${key.id}`);
  clock.advance(container.config.freshSignInSeconds + 1);
  const response = new SoftAuthenticator().create(optionsIn(page.text, 'create'), origin);
  t.match((await visitor.fill(page, { response }, '/account/passkeys')).location, /^\/account\/confirm\?/);
  t.match(
    (await visitor.fill(edit, { label: 'x' }, '/account/passkeys/edit')).location,
    /^\/account\/confirm/,
  );
  t.match((await visitor.fill(edit, {}, '/account/passkeys/remove')).location, /^\/account\/confirm\?/);
  t.match(await passkeysOf(user), [{ label: 'Passkey' }], 'nothing was done');

  const asked = await visitor.follow(await visitor.get('/account/passkeys/new'));
  t.match(asked.text, /Prove again that it is you/);
  const wrong = await visitor.fill(asked, { password: 'no' }, '/account/confirm');
  t.match(wrong, { status: 400, text: /Wrong password/ });
  const right = await visitor.fill(wrong, { password: goodPassword }, '/account/confirm');
  t.match(right.location, /^\/account\/passkeys\/new\?/);
  t.match((await visitor.get(right.location ?? '')).text, /Create the passkey/);

  clock.advance(container.config.freshSignInSeconds + 1);
  const again = await visitor.follow(await visitor.get(`/account/passkeys/edit?passkey=${key.id}`));
  const options = optionsIn(again.text, 'get');
  t.match(options, { rpId, userVerification: 'required', allowCredentials: [{ id: key.id }] });
  const send = (other: Otherwise) =>
    visitor.fill(again, { response: key.get(options, origin, other) }, '/account/confirm/passkey');
  t.match(
    await send({ flags: 0x01 }),
    { status: 400, text: /does not work here/ },
    'it must verify the person',
  );
  const fresh = await visitor.get(again.url);
  const proof = key.get(optionsIn(fresh.text, 'get'), origin);
  const confirmed = await visitor.fill(fresh, { response: proof }, '/account/confirm/passkey');
  t.equal(new URL(confirmed.location ?? '', origin).searchParams.get('passkey'), key.id);
  t.match((await visitor.get(confirmed.location ?? '')).text, /Name of the passkey/);
});

t.test('who has one-time codes enters one too', async (t) => {
  const user = await member();
  const visitor = await signedIn(user);
  await giveTotp(container, user);
  clock.advance(1);
  const again = newVisitor();
  await again.fill(await again.get('/login'), { loginName: user.userName, password: goodPassword });
  t.match((await again.get('/account/passkeys/new')).location, /^\/login/, 'a password alone is no sign-in');
  t.match((await visitor.get('/account/passkeys/new')).location, /^\/login/);
});

t.test('the pages are for people who are signed in, and their forms for one browser', async (t) => {
  const visitor = newVisitor();
  for (const path of ['/account/passkeys/new', '/account/passkeys/edit?passkey=x', '/account/confirm'])
    t.match((await visitor.get(path)).location, /^\/login/, path);
  for (const path of [
    '/account/passkeys',
    '/account/passkeys/edit',
    '/account/passkeys/remove',
    '/account/confirm',
    '/account/confirm/passkey',
  ])
    t.equal((await visitor.post(path, { response: '{}' })).status, 403, path);
});

t.test('other origins of the RP ID are told to browsers', async (t) => {
  const answer = await app.inject('/.well-known/webauthn');
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  t.same(answer.json(), { origins: [origin] });
});
