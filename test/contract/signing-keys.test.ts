import { type CryptoKey, jwtVerify, SignJWT } from 'jose';
import t from 'tap';
import type { Container } from '#src/container.js';
import { checkMasterKeys } from '#src/keys/check-master-keys.js';
import { maintainSigningKeys } from '#src/keys/maintain-signing-keys.js';
import { removeSigningKey } from '#src/keys/remove-signing-key.js';
import { rotateSigningKeys, spreadMs } from '#src/keys/rotate-signing-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { until } from '../../dev/until.js';
import { openTestContainer } from '../support/app/test-container.js';
import { errorIdOf } from '../support/thrown.js';

const { container, openAnother, clock } = await openTestContainer(t);
const another = await openAnother();
const editor = { userId: 'test', service: 'test' };
const day = 24 * 3600;

const kidOf = async ({ signingKeys }: Container) => (await signingKeys.active()).kid;
const states = async () =>
  Object.fromEntries((await container.signingKeys.list()).map(({ kid, state }) => [kid, state]));
const published = async ({ signingKeys }: Container = container) =>
  (await signingKeys.publicJwks()).map(({ kid }) => kid);
const rotate = (force?: boolean) =>
  rotateSigningKeys(container.signingKeyRotation, { editor, ...(force && { force }) });

async function sign({ signingKeys }: Container): Promise<string> {
  const { alg, kid, privateKey } = await signingKeys.active();
  return new SignJWT({}).setProtectedHeader({ alg, kid }).sign(privateKey);
}

const verify = ({ signingKeys }: Container, jwt: string) =>
  jwtVerify(jwt, ({ kid, alg }): Promise<CryptoKey> => signingKeys.publicKey(kid, alg));

t.test('processes that start together share an active and a next key', async (t) => {
  const all = [container, another, await openAnother()];
  const kids = await Promise.all(all.map(kidOf));
  t.equal(new Set(kids).size, 1);
  for (const { signingKeys } of all) {
    const jwks = await signingKeys.publicJwks();
    t.equal(jwks.length, 2);
    for (const jwk of jwks) {
      t.match(jwk, { kid: String, alg: 'RS256', use: 'sig', kty: 'RSA', n: String, e: String });
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) t.notOk(member in jwk, 'only the public part');
    }
  }
  t.same(Object.values(await states()).sort(), ['active', 'next']);
});

t.test('a process whose master keys do not open the signing keys does not start', async (t) => {
  const { store } = container.signingKeyRotation;
  const sealer = createSealer(parseMasterKeys(`k9:${Buffer.alloc(32, 9).toString('base64url')}`), 'any');
  await t.resolves(checkMasterKeys(container.signingKeyRotation));
  await t.rejects(checkMasterKeys({ store, sealer }), { message: /^None of MUSTER_MASTER_KEYS opens/ });
});

t.test('one process reads what another issued', async (t) => {
  const claims = {
    jti: 'x',
    sub: 'u',
    org: 'o',
    clientId: 'c',
    username: 'n',
    audience: ['https://muster.example'],
    scope: '',
    issuedAt: 1,
    expiresAt: 2,
  };
  for (const form of ['opaque', 'jwt'] as const) {
    t.same(
      await another.accessTokens.read(
        await container.accessTokens.issue({ ...claims, clientOrgId: 'o' }, form),
      ),
      claims,
    );
  }
});

t.test('the private key is sealed at rest', async (t) => {
  const stored = await container.mongo.collection('signingKeys').findOne({});
  const sealed = Buffer.from(stored?.['sealedPrivateJwk'].buffer);
  t.ok(sealed.length > 1_000);
  t.notMatch(sealed.toString('latin1'), /"d":/);
  t.notOk('d' in (stored?.['publicJwk'] ?? {}));
});

t.test(
  'the next key is published before it signs, and the retired one until its tokens have ended',
  async (t) => {
    const before = await kidOf(container);
    const [next] = (await published()).filter((kid) => kid !== before);
    const token = await sign(container);
    t.equal(await errorIdOf(() => rotate()), 'keys.nextKeyTooFresh', 'clients may not know it yet');
    t.equal(await kidOf(container), before);

    clock.advance(spreadMs / 1000 + 1);
    await rotate();
    t.equal(await kidOf(container), next, 'what was published signs');
    t.equal((await published()).length, 3);
    t.match(await states(), { [before]: 'retired', [next ?? '']: 'active' });
    await until(async () => (await kidOf(another)) === next);
    await verify(another, token);
    t.same((await published(another)).sort(), (await published()).sort());
    const found = await container.events.search({
      eventTypes: ['signing.key.rotated'],
      limit: 10,
      ascending: true,
    });
    t.match(found, [{ aggregate: { id: next }, editor, payload: { retired: before } }]);
    t.notMatch(JSON.stringify(found), /sealed|publicJwk/);

    clock.advance(container.config.accessTokenSeconds);
    await maintainSigningKeys(container.signingKeyRotation, 0);
    t.ok((await published()).includes(before), 'a process that had not heard may have signed with it since');
    clock.advance(spreadMs / 1000 + 61);
    t.notOk((await published()).includes(before));
    await t.rejects(verify(container, token), 'it verifies nothing any more');
    t.match(await maintainSigningKeys(container.signingKeyRotation, 0), { removed: 1, rotated: false });
    t.notOk(before in (await states()));
  },
);

t.test('a key that got out is replaced at once', async (t) => {
  await rotate(true);
  const before = await kidOf(container);
  const token = await sign(container);
  await verify(another, token);
  const remove = (kid: string) =>
    errorIdOf(() => removeSigningKey(container.signingKeyRotation, { kid, editor }));
  t.equal(await remove(before), 'keys.stillNeeded');
  await rotate(true);
  const now = await kidOf(container);
  t.not(now, before);
  t.ok((await published()).includes(before), 'what it signed verifies until it is removed');

  t.equal(await remove(before), undefined);
  t.notOk((await published()).includes(before));
  await t.rejects(verify(container, token));
  await until(async () => !(await published(another)).includes(before));
  await t.rejects(verify(another, token));
  const [next = ''] = Object.entries(await states()).flatMap(([kid, state]) =>
    state === 'next' ? [kid] : [],
  );
  t.same(await Promise.all([before, now, next].map(remove)), [
    'keys.notFound',
    'keys.stillNeeded',
    'keys.stillNeeded',
  ]);
  const found = await container.events.search({
    eventTypes: ['signing.key.removed'],
    limit: 10,
    ascending: true,
  });
  t.match(found, [{ aggregate: { id: before }, editor }]);
});

t.test('of rotations at once one happens', async (t) => {
  clock.advance(spreadMs / 1000 + 1);
  const outcomes = await Promise.all(
    [container, another, container, another].map(({ signingKeyRotation }) =>
      errorIdOf(() => rotateSigningKeys(signingKeyRotation, { editor, force: true })),
    ),
  );
  t.ok(outcomes.includes(undefined));
  t.ok(outcomes.every((id) => id === undefined || id === 'keys.rotating'));
  const kinds = Object.values(await states());
  t.equal(kinds.filter((state) => state === 'active').length, 1);
  t.equal(kinds.filter((state) => state === 'next').length, 1);
});

t.test('the schedule rotates by age, and never when it is off', async (t) => {
  clock.advance(spreadMs / 1000 + 1);
  const before = await kidOf(container);
  t.match(await maintainSigningKeys(container.signingKeyRotation, day), { rotated: false });
  clock.advance(day);
  t.match(await maintainSigningKeys(container.signingKeyRotation, 0), { rotated: false });
  t.equal(await kidOf(container), before);
  t.match(await maintainSigningKeys(container.signingKeyRotation, day), { rotated: true });
  t.not(await kidOf(container), before);
  t.match(await maintainSigningKeys(container.signingKeyRotation, day), { rotated: false });
});

t.test('another algorithm is published first and takes over when clients can know it', async (t) => {
  const before = await kidOf(container);
  for (const [algorithm, kty] of [
    ['ES256', 'EC'],
    ['EdDSA', 'OKP'],
  ] as const) {
    const changed = { ...container.signingKeyRotation, algorithm };
    t.match(await maintainSigningKeys(changed, 0), { renewedNext: true, rotated: false });
    t.match(await container.signingKeys.algorithms(), { length: 2 });
    t.not((await container.signingKeys.active()).alg, algorithm);
    t.match(await maintainSigningKeys(changed, 0), { renewedNext: false, rotated: false });
    clock.advance(spreadMs / 1000 + 1);
    t.match(await maintainSigningKeys(changed, 0), { rotated: true });
    const { alg, kid } = await container.signingKeys.active();
    t.equal(alg, algorithm);
    const jwk = (await container.signingKeys.publicJwks()).find((candidate) => candidate.kid === kid);
    t.match(jwk, { kty, alg: algorithm });
    t.notOk('d' in (jwk ?? {}));
    const token = await sign(container);
    await verify(another, token);
    await t.rejects(
      container.signingKeys.publicKey(kid, 'RS256'),
      'a key serves no other algorithm than its own',
    );
  }
  t.not(await kidOf(container), before);
});

t.test('an unknown key is looked for at most once in a while', async (t) => {
  const commands: string[] = [];
  const { store } = another.signingKeyRotation;
  const all = store.all.bind(store);
  t.teardown(() => Object.assign(store, { all }));
  Object.assign(store, {
    all: () => {
      commands.push('all');
      return all();
    },
  });
  await another.signingKeys.active();
  clock.advance(10);
  commands.length = 0;
  for (let i = 0; i < 50; i++) {
    const kid = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
    await t.rejects(another.signingKeys.publicKey(kid, 'RS256'));
  }
  await t.rejects(another.signingKeys.publicKey('../../etc/passwd', 'RS256'));
  await t.rejects(another.signingKeys.publicKey(undefined, 'RS256'));
  t.ok(commands.length <= 2, `${commands.length} reads`);
});

t.test('keys that were read while the clock was ahead are read again when it is right', async (t) => {
  const ahead = await openAnother();
  const { store } = ahead.signingKeyRotation;
  const all = store.all.bind(store);
  let reads = 0;
  Object.assign(store, {
    all: () => {
      reads++;
      return all();
    },
  });
  clock.advance(day);
  await ahead.signingKeys.active();
  clock.advance(-day);
  reads = 0;
  await ahead.signingKeys.active();
  await ahead.signingKeys.active();
  t.equal(reads, 1);
});

t.test('keys serve from memory while the store is away', async (t) => {
  const third = await openAnother();
  const kid = await kidOf(third);
  const { store } = third.signingKeyRotation;
  Object.assign(store, {
    all: async () => {
      throw new Error('away');
    },
  });
  clock.advance(3600);
  t.equal(await kidOf(third), kid);
  t.ok((await published(third)).includes(kid));
});
