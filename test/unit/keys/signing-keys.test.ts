import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createSealer } from '#src/keys/sealer.js';
import { newSigningKey, type StoredSigningKey } from '#src/keys/signing-key.js';
import { createSigningKeys } from '#src/keys/signing-keys.js';
import type { SigningKeysStore } from '#src/keys/signing-keys.store.js';
import { algorithmRecords } from '../../support/keys/algorithm-records.js';
import { testThreads } from '../../support/keys/test-threads.js';

const threads = testThreads();
const sealer = createSealer([{ id: 'k1', key: randomBytes(32) }], 'test');

function storeOf(failures = 0, keys: StoredSigningKey[] = []) {
  let left = failures;
  let inserted = 0;
  const store = {
    all: async () => [...keys],
    async insert(key: StoredSigningKey) {
      inserted++;
      if (left-- > 0) throw new Error('away');
      keys.push(key);
      return true;
    },
  } as unknown as SigningKeysStore;
  const clock = { now: () => new Date() };
  const watch = () => async () => undefined;
  const shared = { store, algorithms: algorithmRecords(), sealer, threads, clock, watch };
  const signingKeys = createSigningKeys({ ...shared, algorithm: 'ES256', tokenSeconds: 60 });
  return { signingKeys, inserted: () => inserted };
}

t.test('all callers that ask for the first key wait for the same keys', async (t) => {
  const { signingKeys, inserted } = storeOf();
  const active = await Promise.all(Array.from({ length: 50 }, () => signingKeys.active()));
  t.equal(new Set(active.map(({ kid }) => kid)).size, 1);
  t.same(
    (await signingKeys.publicJwks()).map(({ alg }) => alg),
    ['ES256', 'ES256', 'RS256', 'RS256'],
  );
  t.equal(inserted(), 6, 'the active and the next one of each algorithm');
  t.equal(active[0]?.alg, 'ES256', 'the configured one signs');
});

t.test('keys of an earlier version serve while the others cannot be kept', async (t) => {
  const [active, next] = await Promise.all(
    (['active', 'next'] as const).map((state) =>
      newSigningKey({ sealer, threads, algorithm: 'ES256' }, state, new Date(0)),
    ),
  );
  if (active === undefined || next === undefined) return t.fail('no keys');
  const { signingKeys } = storeOf(2, [active, next]);
  t.equal((await signingKeys.active()).kid, active.kid);
  t.same(await signingKeys.algorithms(), ['ES256']);
  t.equal((await signingKeys.publicJwks()).length, 2);
  t.same(await signingKeys.algorithms(), ['RS256', 'ES256', 'EdDSA'], 'tried again');
});

t.test('where they cannot be kept it is tried again', async (t) => {
  const { signingKeys } = storeOf(1);
  await t.rejects(Promise.all([signingKeys.active(), signingKeys.active()]), { message: 'away' });
  t.match(await signingKeys.active(), { alg: 'ES256' });
});
