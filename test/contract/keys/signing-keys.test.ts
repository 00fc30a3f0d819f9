import { type CryptoKey, jwtVerify, SignJWT } from 'jose';
import t from 'tap';
import { checkMasterKeys } from '#src/keys/check-master-keys.js';
import { maintainSigningKeys } from '#src/keys/maintain-signing-keys.js';
import { removeSigningKey } from '#src/keys/remove-signing-key.js';
import { rotateSigningKeys } from '#src/keys/rotate-signing-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { newSigningKey, type SigningAlgorithm, signingAlgorithms, spreadMs } from '#src/keys/signing-key.js';
import { createSigningKeys } from '#src/keys/signing-keys.js';
import type { Rooms } from '#src/rooms.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { errorIdOf } from '../../support/thrown.js';

const { container, openAnother, clock } = await openTestContainer(t);
const another = await openAnother();
const editor = { userId: 'test', service: 'test' };
const day = 24 * 3600;

const kidOf = async ({ signingKeys }: Rooms) => (await signingKeys.active()).kid;
/** Of the keys of one algorithm. */
const states = async (of: SigningAlgorithm = 'RS256') =>
  Object.fromEntries(
    (await container.signingKeys.list())
      .filter(({ alg }) => alg === of)
      .map(({ kid, state }) => [kid, state]),
  );
const published = async ({ signingKeys }: Rooms = container, of: SigningAlgorithm = 'RS256') =>
  (await signingKeys.publicJwks()).filter(({ alg }) => alg === of).map(({ kid }) => kid);
const rotate = (force?: boolean, algorithms?: SigningAlgorithm[]) =>
  rotateSigningKeys(container.signingKeyRotation, {
    editor,
    ...(force && { force }),
    ...(algorithms && { algorithms }),
  });

async function sign({ signingKeys }: Rooms, wanted?: SigningAlgorithm): Promise<string> {
  const { alg, kid, privateKey } = await signingKeys.active({ wanted });
  return new SignJWT({}).setProtectedHeader({ alg, kid }).sign(privateKey);
}

const maintain = (rotationSeconds: number, chosen: SigningAlgorithm[] = []) =>
  maintainSigningKeys(container.signingKeyRotation, { rotationSeconds, chosen });

/** Forgets all keys and what was published. */
async function startAnew(): Promise<void> {
  for (const name of ['signingKeys', 'signingAlgorithms'])
    await container.mongo.collection(name).deleteMany({});
  await container.signingKeys.changed();
}

const activeKids = async () =>
  new Map(
    (await container.signingKeys.list())
      .filter(({ state }) => state === 'active')
      .map(({ alg, kid }) => [alg, kid]),
  );

const verify = ({ signingKeys }: Rooms, jwt: string) =>
  jwtVerify(jwt, ({ kid, alg }): Promise<CryptoKey> => signingKeys.publicKey(kid, alg));

t.test('processes that start together share an active and a next key of each algorithm', async (t) => {
  const all = [container, another, await openAnother()];
  const kids = await Promise.all(all.map(kidOf));
  t.equal(new Set(kids).size, 1);
  for (const { signingKeys } of all) {
    const jwks = await signingKeys.publicJwks();
    t.equal(jwks.length, 2, 'nobody uses the others');
    for (const jwk of jwks) {
      t.match(jwk, { kid: String, use: 'sig', alg: 'RS256', kty: 'RSA' });
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) t.notOk(member in jwk, 'only the public part');
    }
  }
  for (const alg of signingAlgorithms)
    t.same(Object.values(await states(alg)).sort(), ['active', 'next'], alg);
  t.same(await container.signingKeys.algorithms(), signingAlgorithms);
  t.equal(
    (await container.signingKeys.active()).alg,
    'RS256',
    'the configured one, unless another is asked for',
  );
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
    audience: ['https://muster.example'],
    scope: '',
    issuedAt: 1,
    expiresAt: 2,
  };
  for (const form of ['opaque', 'jwt'] as const) {
    const token = await container.accessTokens.issue({ ...claims, clientOrgId: 'o' }, form);
    const { jti, ...read } = (await another.accessTokens.read(token)) ?? {};
    const { jti: given, ...rest } = claims;
    t.same(read, rest);
    t.ok(jti?.startsWith(given));
  }
});

t.test('the private key is sealed at rest', async (t) => {
  const stored = await container.mongo.collection('signingKeys').findOne({ alg: 'RS256' } as never);
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
    t.match(
      found.find(({ payload }) => payload['alg'] === 'RS256'),
      { aggregate: { id: next }, editor, payload: { retired: before } },
    );
    t.same(found.map(({ payload }) => payload['alg']).sort(), ['ES256', 'EdDSA', 'RS256'], 'all turned');
    t.notMatch(JSON.stringify(found), /sealed|publicJwk/);

    clock.advance(container.config.accessTokenSeconds);
    await maintain(0);
    t.ok((await published()).includes(before), 'a process that had not heard may have signed with it since');
    clock.advance(spreadMs / 1000 + 61);
    t.notOk((await published()).includes(before));
    await t.rejects(verify(container, token), 'it verifies nothing any more');
    t.match(await maintain(0), {
      removed: 3,
      added: 0,
      rotated: [],
    });
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
  for (const alg of signingAlgorithms) {
    const kinds = Object.values(await states(alg));
    t.equal(kinds.filter((state) => state === 'active').length, 1, alg);
    t.equal(kinds.filter((state) => state === 'next').length, 1, alg);
  }
});

t.test('a rotation does not wait for threads that hashes hold', async (t) => {
  const { threads, pairs } = container.signingKeyRotation;
  pairs.prepare();
  await until(() => pairs.count() === 2);
  let isOver = false;
  const release: (() => void)[] = [];
  const hold = () =>
    new Promise<void>((resolve) => {
      if (isOver) resolve();
      else release.push(resolve);
    });
  const kinds = ['hash', 'sign-in hash', 'slow hash', 'compression'] as const;
  const held = kinds.flatMap((kind) =>
    Array.from({ length: 8 }, (_, place) => threads.run(kind, `org-${place}`, hold)),
  );
  const start = performance.now();
  const before = await activeKids();
  await rotate(true);
  await rotate(true);
  const ms = performance.now() - start;
  const after = await activeKids();
  isOver = true;
  for (const resolve of release) resolve();
  await Promise.all(held);
  for (const alg of signingAlgorithms) t.not(after.get(alg), before.get(alg), alg);
  t.ok(ms < 1_000, `${ms} ms`);
  await until(() => pairs.count() === 2);
});

t.test('the keys of one algorithm are rotated alone', async (t) => {
  clock.advance(spreadMs / 1000 + 1);
  await container.signingKeys.publish('ES256');
  t.equal(
    await errorIdOf(() => rotate(false, ['ES256'])),
    'keys.nextKeyTooFresh',
    'it was created long ago, but clients may not know it yet',
  );
  clock.advance(spreadMs / 1000 + 1);
  const before = await activeKids();
  await rotate(false, ['ES256']);
  const after = await activeKids();
  t.same(
    signingAlgorithms.filter((alg) => before.get(alg) !== after.get(alg)),
    ['ES256'],
  );
  t.equal(await errorIdOf(() => rotate()), 'keys.nextKeyTooFresh', 'all turn, or none');
  t.equal(await kidOf(container), before.get('RS256'));
});

t.test('the schedule rotates by age, and never when it is off', async (t) => {
  clock.advance(spreadMs / 1000 + 1);
  const before = await kidOf(container);
  t.match(await maintain(day), { rotated: [] });
  clock.advance(day);
  t.same((await maintain(0)).rotated, []);
  t.equal(await kidOf(container), before);
  t.same((await maintain(day)).rotated, signingAlgorithms);
  t.not(await kidOf(container), before);
  t.same((await maintain(day)).rotated, []);
});

/** The keys as a version with one algorithm left them. */
async function leaveOne(algorithm: SigningAlgorithm, nextAlgorithm = algorithm): Promise<string> {
  const { sealer, threads, store } = container.signingKeyRotation;
  await startAnew();
  const now = clock.now();
  const active = await newSigningKey({ sealer, threads, algorithm }, 'active', now);
  await store.insert(active, 'only');
  await store.insert(await newSigningKey({ sealer, threads, algorithm: nextAlgorithm }, 'next', now), 'only');
  await container.signingKeys.changed();
  return active.kid;
}

/** Waits until the processes know which algorithm signs by default. */
const untilNoted = (alg: SigningAlgorithm) =>
  until(async () => {
    const found = await container.signingKeyRotation.algorithms.all();
    return found.some((one) => one.alg === alg && one.usualSince !== undefined);
  });

const configured = (algorithm: SigningAlgorithm) =>
  createSigningKeys({ ...container.signingKeyRotation, algorithm, watch: () => async () => undefined });

t.test('an instance of an earlier version gets the keys that it lacks, and goes on signing', async (t) => {
  for (const nextAlgorithm of ['RS256', 'ES256'] as const) {
    const kid = await leaveOne('RS256', nextAlgorithm);
    clock.advance(day);
    t.equal(await kidOf(container), kid);
    const { added } = await maintain(0);
    t.equal(added, 4);
    t.equal(await kidOf(container), kid, 'the same key signs');
    for (const alg of signingAlgorithms)
      t.same(Object.values(await states(alg)).sort(), ['active', 'next'], alg);
    t.equal((await maintain(0)).added, 0);
    clock.advance(spreadMs / 1000 + 1);
    await rotate();
    await rotate(true);
    for (const alg of signingAlgorithms) {
      t.same(Object.values(await states(alg)).sort(), ['active', 'next', 'retired', 'retired'], alg);
    }
    const stored = await container.mongo.db.collection('signingKeys').find({ state: 'active' }).toArray();
    t.match(stored, [{ alg: 'RS256' }], 'the earlier version finds one active key, as it expects');
  }
  await leaveOne('RS256');
  const fresh = configured('RS256');
  t.same(await fresh.algorithms(), signingAlgorithms, 'discovery adds them at once');
  t.equal((await fresh.publicJwks()).length, 2, 'the added ones are not published before somebody uses them');
});

t.test('another algorithm signs as soon as clients can know its keys', async (t) => {
  const kid = await leaveOne('RS256');
  clock.advance(day);
  const changed = configured('ES256');
  t.equal((await changed.active()).kid, kid, 'clients may not know the added key yet');
  t.same(await changed.algorithms(), signingAlgorithms);
  t.equal((await changed.active()).kid, kid);
  t.equal((await changed.active({ wanted: 'ES256' })).kid, kid, 'nor those of an application');
  const until = new Date(clock.now().getTime() + spreadMs);
  t.match(await changed.usual(), { alg: 'RS256', configured: 'ES256', until });
  t.same(
    (await changed.publicJwks()).map(({ alg }) => alg),
    ['RS256', 'RS256', 'ES256', 'ES256'],
    'what signs is the first',
  );
  clock.advance(spreadMs / 1000 - 1);
  t.equal((await changed.active()).kid, kid);
  clock.advance(1);
  t.equal((await changed.active()).alg, 'ES256');
  t.strictSame(await changed.usual(), { alg: 'ES256', configured: 'ES256' });
  t.same(
    (await changed.publicJwks()).map(({ alg }) => alg),
    ['ES256', 'ES256', 'RS256', 'RS256'],
  );
  await untilNoted('ES256');
  const once = configured('EdDSA');
  await once.publicJwks();
  t.equal((await once.active()).alg, 'ES256', 'not the oldest key, but what signed by default before');
  t.equal((await configured('RS256').active()).alg, 'RS256', 'keys that are published sign at once');
  await container.signingKeys.changed();
  await rotate(true);
  t.equal((await configured('ES256').active()).alg, 'ES256', 'a forced rotation falls back to no other key');
});

t.test('an algorithm that somebody uses is published, and signs once every client can know it', async (t) => {
  await startAnew();
  const { signingKeys } = container;
  const usual = await kidOf(container);
  t.equal((await signingKeys.active({ wanted: 'EdDSA' })).kid, usual, 'the old algorithm signs');
  for (const rooms of [container, another])
    await until(async () => (await published(rooms, 'EdDSA')).length === 2);
  const [active = '', next] = await published(container, 'EdDSA');
  t.match(await states('EdDSA'), { [active]: 'active', [next ?? '']: 'next' });
  t.same(await published(container, 'ES256'), [], 'no other is published');
  clock.advance(spreadMs / 1000 - 1);
  t.equal((await signingKeys.active({ wanted: 'EdDSA' })).kid, usual);
  clock.advance(1);
  for (const wanted of ['EdDSA', 'RS256'] as const) {
    const { protectedHeader } = await verify(another, await sign(container, wanted));
    t.equal(protectedHeader.alg, wanted);
  }
  await t.rejects(signingKeys.publicKey(active, 'RS256'), 'a key serves its own algorithm alone');
  t.equal(
    (await signingKeys.active({ wanted: 'ES256', former: 'EdDSA' })).alg,
    'EdDSA',
    'what signed before',
  );
  t.equal((await signingKeys.active({ former: 'EdDSA' })).alg, 'RS256', 'only if another one is wanted');
  t.equal((await signingKeys.active()).alg, 'RS256');
});

t.test('keys that nobody uses are withheld after their last token', async (t) => {
  const { signingKeys, config } = container;
  await maintain(0, ['EdDSA', 'ES256']);
  clock.advance(spreadMs / 1000);
  // The last token of an application that then chose another algorithm.
  const token = await sign(container, 'ES256');
  t.same((await maintain(0, ['EdDSA'])).withheld, []);
  clock.advance(config.accessTokenSeconds);
  await maintain(0, ['EdDSA']);
  t.equal((await published(container, 'ES256')).length, 2, 'the token may be valid');
  t.same((await published(container, 'EdDSA')).length, 2, 'an application may need it');
  clock.advance(2 * 3600);
  t.same((await maintain(0, ['EdDSA'])).withheld, ['ES256']);
  t.same(await published(container, 'ES256'), []);
  await until(async () => (await published(another, 'ES256')).length === 0);
  t.equal((await published(container, 'EdDSA')).length, 2);
  t.same(await signingKeys.algorithms(), signingAlgorithms, 'discovery lists all');
  await verify(container, token);
  for (const key of await signingKeys.list())
    t.equal(key.published === undefined, key.alg === 'ES256', key.alg);
  t.equal(
    (await signingKeys.active({ wanted: 'ES256' })).alg,
    'RS256',
    'it is published anew, and has to wait',
  );
  await until(async () => (await published(container, 'ES256')).length === 2);
  t.same((await maintain(0, [])).withheld, [], 'somebody has just asked for it');
  clock.advance(10 * day);
  t.same((await maintain(0, [])).withheld, ['ES256', 'EdDSA'], 'never RS256');
});

t.test('a signature keeps its key published as long as the token lives', async (t) => {
  const { signingKeys, config } = container;
  await signingKeys.publish('ES256');
  // No schedule runs.
  clock.advance(config.accessTokenSeconds + 1800);
  t.equal((await signingKeys.active({ wanted: 'ES256' })).alg, 'ES256');
  clock.advance(config.accessTokenSeconds);
  t.same((await maintain(0, [])).withheld, []);
  t.equal((await published(container, 'ES256')).length, 2);
});

t.test('a publication by a process whose clock was ahead delays nobody', async (t) => {
  await startAnew();
  await kidOf(container);
  clock.advance(30 * day);
  await container.signingKeys.publish('ES256');
  clock.advance(-30 * day);
  await container.signingKeys.changed();
  t.equal((await container.signingKeys.active({ wanted: 'ES256' })).alg, 'RS256');
  await until(async () => {
    const { until: ready } = (await container.signingKeys.known()).signing({ wanted: 'ES256' });
    return ready !== undefined && ready.getTime() <= clock.now().getTime() + spreadMs;
  });
  clock.advance(spreadMs / 1000);
  t.equal((await container.signingKeys.active({ wanted: 'ES256' })).alg, 'ES256');
});

t.test('the key that signs by default is the first, also when other kinds are older', async (t) => {
  await startAnew();
  await maintain(0, ['ES256', 'EdDSA']);
  for (let round = 0; round < 3; round++) {
    clock.advance(spreadMs / 1000 + 1);
    await rotate();
    const keys = await container.signingKeys.publicJwks();
    t.equal(keys[0]?.kid, await kidOf(container), `after rotation ${round + 1}`);
    const kinds = keys.map(({ kty }) => kty);
    t.same(
      kinds,
      [...kinds].sort(
        (a, b) => ['RSA', 'EC', 'OKP'].indexOf(a ?? '') - ['RSA', 'EC', 'OKP'].indexOf(b ?? ''),
      ),
    );
    t.equal(keys.length, 3 * (3 + round), 'active, next and retired ones');
  }
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

t.test('keys that became stale while they were read serve too', async (t) => {
  const { store, ...parts } = (await openAnother()).signingKeyRotation;
  let stale: () => void = () => undefined;
  let isAway = false;
  const keys = createSigningKeys({
    ...parts,
    algorithm: 'RS256',
    store: {
      ...store,
      all: async () => {
        if (isAway) throw new Error('away');
        const found = await store.all();
        // As the first subscription of a process does.
        stale();
        return found;
      },
    },
    watch: (forget) => {
      stale = forget;
      return async () => undefined;
    },
  });
  const { kid } = await keys.active();
  isAway = true;
  t.equal((await keys.active()).kid, kid);
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
