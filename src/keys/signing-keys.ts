import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Sealer } from './sealer.js';
import type { SigningKeysStore, StoredSigningKey } from './signing-keys.store.js';

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
}

/** Keys that sign tokens, made at first need and shared by all processes through the store. */
export interface SigningKeys {
  active(): Promise<SigningKey>;
  /** @throws Error when no key has this identifier and algorithm */
  publicKey(kid: string | undefined, alg: string | undefined): Promise<CryptoKey>;
  /** The public keys as they are published (RFC 7517). */
  publicJwks(): Promise<JWK[]>;
}

const alg = 'RS256';

interface Loaded {
  readonly active: SigningKey | undefined;
  readonly publicKeys: ReadonlyMap<string, { alg: string; key: CryptoKey; jwk: JWK }>;
}

export function createSigningKeys(deps: {
  store: SigningKeysStore;
  sealer: Sealer;
  clock: Clock;
}): SigningKeys {
  const { store, sealer, clock } = deps;
  let loading: Promise<Loaded> | undefined;
  let lastReload = 0;

  function load(): Promise<Loaded> {
    loading ??= readAll().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function readAll(): Promise<Loaded> {
    const stored = await store.all();
    const publicKeys = new Map(
      await Promise.all(
        stored.map(async ({ kid, alg, publicJwk }) => {
          const key = (await importJWK(publicJwk, alg)) as CryptoKey;
          return [kid, { alg, key, jwk: { ...publicJwk, kid, alg, use: 'sig' } }] as const;
        }),
      ),
    );
    const active = stored.find(({ state }) => state === 'active');
    return { publicKeys, active: active && (await openPrivateKey(active)) };
  }

  async function openPrivateKey({ kid, alg, sealedPrivateJwk }: StoredSigningKey): Promise<SigningKey> {
    const opened = sealer.unseal(sealedPrivateJwk);
    if (opened === undefined) throw new Error(`No master key opens signing key ${kid}`);
    return { kid, alg, privateKey: (await importJWK(JSON.parse(opened.toString()), alg)) as CryptoKey };
  }

  async function addActive(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
    await store.insertActive({
      kid: newId(),
      alg,
      state: 'active',
      publicJwk: await exportJWK(publicKey),
      sealedPrivateJwk: sealer.seal(Buffer.from(JSON.stringify(await exportJWK(privateKey)))),
      created: clock.now(),
    });
    loading = undefined;
  }

  return {
    async active() {
      const known = (await load()).active;
      if (known !== undefined) return known;
      await addActive();
      const added = (await load()).active;
      if (added === undefined) throw new Error('The signing key vanished');
      return added;
    },
    async publicKey(kid, wantedAlg) {
      const find = async () => (kid === undefined ? undefined : (await load()).publicKeys.get(kid));
      let found = await find();
      if (found === undefined && kid !== undefined && isKeyId(kid) && mayReload()) {
        // Another process may have made the key since.
        loading = undefined;
        found = await find();
      }
      if (found === undefined || found.alg !== wantedAlg) throw new Error('No such signing key');
      return found.key;
    },
    publicJwks: async () => [...(await load()).publicKeys.values()].map(({ jwk }) => jwk),
  };

  /** Tokens with invented key identifiers must not make us read the store each time. */
  function mayReload(): boolean {
    const now = clock.now().getTime();
    if (now - lastReload < 5_000) return false;
    lastReload = now;
    return true;
  }
}

function isKeyId(kid: string): boolean {
  return /^[0-9a-f-]{36}$/.test(kid);
}
