import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Clock } from '#src/platform/clock.js';
import type { Sealer } from './sealer.js';
import {
  newSigningKey,
  openSigningKey,
  publishedJwk,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeySummary,
  type StoredSigningKey,
} from './signing-key.js';
import type { SigningKeysStore } from './signing-keys.store.js';

/**
 * The keys that sign tokens. The first use creates them. All processes share them through the store, and hold
 * them in memory.
 */
export interface SigningKeys {
  active(): Promise<SigningKey>;
  /** @throws Error when no key has this identifier and algorithm */
  publicKey(kid: string | undefined, alg: string | undefined): Promise<CryptoKey>;
  /**
   * The published public keys (RFC 7517): the active key, the next key, and retired keys with live tokens.
   */
  publicJwks(): Promise<JWK[]>;
  /** The algorithms of the active and the next key. */
  algorithms(): Promise<readonly string[]>;
  list(): Promise<SigningKeySummary[]>;
  /** Makes this and every other process read the keys again. */
  changed(): Promise<void>;
}

export interface SigningKeysDeps {
  readonly store: SigningKeysStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** The algorithm of new keys. */
  readonly algorithm: SigningAlgorithm;
  /**
   * Calls back when another process changed the keys. It returns a function that tells the other processes of
   * a change.
   */
  readonly watch: (stale: () => void) => () => Promise<void>;
}

interface Loaded {
  readonly active: SigningKey | undefined;
  readonly publicKeys: ReadonlyMap<string, { alg: string; key: CryptoKey }>;
  readonly jwks: readonly JWK[];
  readonly algorithms: readonly string[];
}

/** Keys are read again after this time in milliseconds, in case a message is lost. */
export const keyMemoryMs = 60_000;
/** The least time between two reads for unknown identifiers, and after a failed read, in milliseconds. */
const pauseMs = 5_000;

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  const { store, sealer, clock, algorithm } = deps;
  let held: Loaded | undefined;
  /**
   * When the keys were last read, and for how long they are fresh. The same for reads of unknown identifiers.
   */
  let fresh = { from: 0, for: 0 };
  let paused = { from: 0, for: 0 };
  let loading: Promise<Loaded> | undefined;
  let making: Promise<void> | undefined;
  const now = () => clock.now().getTime();
  /** A clock that is set back does not prolong the time. */
  const lasts = (time: { from: number; for: number }) => now() >= time.from && now() < time.from + time.for;
  const stale = () => {
    fresh = { from: 0, for: 0 };
    // A running read may have started before the change.
    loading = undefined;
  };
  const tellOthers = deps.watch(stale);

  /** The keys from memory, or from the store. While the store is away, the keys in memory are used. */
  async function load(): Promise<Loaded> {
    if (held !== undefined && lasts(fresh)) return held;
    const mine = loading ?? readAll();
    loading = mine;
    try {
      const loaded = await mine;
      if (loading === mine) {
        held = loaded;
        fresh = { from: now(), for: keyMemoryMs };
        loading = undefined;
      }
      return loaded;
    } catch (error) {
      if (loading === mine) loading = undefined;
      if (held === undefined) throw error;
      fresh = { from: now(), for: pauseMs };
      return held;
    }
  }

  async function readAll(): Promise<Loaded> {
    const time = clock.now();
    const stored = (await store.all()).filter(({ expires }) => expires === undefined || expires > time);
    const active = stored.find(({ state }) => state === 'active');
    return {
      active: active && openSigningKey(active, sealer),
      publicKeys: new Map(await Promise.all(stored.map(importPublicKey))),
      jwks: stored.map(publishedJwk),
      algorithms: [...new Set(stored.filter(({ state }) => state !== 'retired').map(({ alg }) => alg))],
    };
  }

  /** The keys. If none exist, one call creates them for all callers. */
  async function ensure(): Promise<Loaded & { active: SigningKey }> {
    const known = await load();
    if (known.active !== undefined) return { ...known, active: known.active };
    making ??= makeFirst().finally(() => {
      making = undefined;
    });
    await making;
    const { active, ...added } = await load();
    if (active === undefined) throw new Error('The signing key vanished');
    return { ...added, active };
  }

  /** If several processes create them, one wins. */
  async function makeFirst(): Promise<void> {
    const made = await Promise.all(
      (['active', 'next'] as const).map((state) => newSigningKey({ sealer, algorithm }, state, clock.now())),
    );
    for (const key of made) await store.insert(key);
    stale();
  }

  return {
    active: async () => (await load()).active ?? (await ensure()).active,
    async publicKey(kid, wantedAlg) {
      const find = async () => (kid === undefined ? undefined : (await load()).publicKeys.get(kid));
      let found = await find();
      if (found === undefined && kid !== undefined && isKeyId(kid) && forgetUnlessPaused()) {
        found = await find();
      }
      if (found === undefined || found.alg !== wantedAlg) throw new Error('No such signing key');
      return found.key;
    },
    publicJwks: async () => [...(await ensure()).jwks],
    algorithms: async () => (await ensure()).algorithms,
    async list() {
      return (await store.all()).map(
        ({ publicJwk: _public, sealedPrivateJwk: _sealed, ...summary }: StoredSigningKey) => summary,
      );
    },
    async changed() {
      stale();
      await tellOthers();
    },
  };

  /**
   * Forgets the keys, since another process may have created the requested one. Tokens with invented key
   * identifiers make the process read the store at most once in {@link pauseMs}.
   * @returns whether the keys were forgotten
   */
  function forgetUnlessPaused(): boolean {
    if (lasts(paused)) return false;
    paused = { from: now(), for: pauseMs };
    stale();
    return true;
  }
}

async function importPublicKey({ kid, alg, publicJwk }: StoredSigningKey) {
  return [kid, { alg, key: (await importJWK(publicJwk, alg)) as CryptoKey }] as const;
}

function isKeyId(kid: string): boolean {
  return /^[0-9a-f-]{36}$/.test(kid);
}
