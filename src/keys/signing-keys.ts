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

/** Keys that sign tokens, made at first need, shared by all processes through the store and held in memory. */
export interface SigningKeys {
  active(): Promise<SigningKey>;
  /** @throws Error when no key has this identifier and algorithm */
  publicKey(kid: string | undefined, alg: string | undefined): Promise<CryptoKey>;
  /** The public keys as they are published (RFC 7517): the active, the next, and those with tokens left. */
  publicJwks(): Promise<JWK[]>;
  /** What tokens may be signed with now and soon. */
  algorithms(): Promise<readonly string[]>;
  list(): Promise<SigningKeySummary[]>;
  /** Reads the keys anew, here and in every other process. */
  changed(): Promise<void>;
}

export interface SigningKeysDeps {
  readonly store: SigningKeysStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** Of keys that are made from now on. */
  readonly algorithm: SigningAlgorithm;
  /** Calls back when another process changed the keys; what it returns tells the others. */
  readonly watch: (stale: () => void) => () => Promise<void>;
}

interface Loaded {
  readonly active: SigningKey | undefined;
  readonly publicKeys: ReadonlyMap<string, { alg: string; key: CryptoKey }>;
  readonly jwks: readonly JWK[];
  readonly algorithms: readonly string[];
}

/** Keys are read again after this time in milliseconds, should the message that they changed be lost. */
export const keyMemoryMs = 60_000;
/** Least time between two reads for identifiers that nobody knows, and after a failed one, in milliseconds. */
const pauseMs = 5_000;

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  const { store, sealer, clock, algorithm } = deps;
  let held: Loaded | undefined;
  /** When the keys were read, and for how long they are fresh from then on; reading for what nobody knows likewise. */
  let fresh = { from: 0, for: 0 };
  let paused = { from: 0, for: 0 };
  let loading: Promise<Loaded> | undefined;
  let making: Promise<void> | undefined;
  const now = () => clock.now().getTime();
  /** A clock that was set back does not prolong the time. */
  const lasts = (time: { from: number; for: number }) => now() >= time.from && now() < time.from + time.for;
  const stale = () => {
    fresh = { from: 0, for: 0 };
    // A read that is under way may have come too early.
    loading = undefined;
  };
  const tellOthers = deps.watch(stale);

  /** From memory; while the store is away what is held serves on. */
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

  /** What is held, with keys made where there are none yet: once, for everybody who waits for them. */
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

  /** Of several processes that make them one wins. */
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
   * Forgets the keys, since another process may have made the one that is asked for. Tokens with invented key
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
