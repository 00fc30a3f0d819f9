import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Clock } from '#src/platform/clock.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { makeMissingKeys, missingKeys } from './missing-keys.js';
import type { Sealer } from './sealer.js';
import {
  keySetSeconds,
  openSigningKey,
  publishedJwk,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeySummary,
  type StoredSigningKey,
  signingAlgorithms,
} from './signing-key.js';
import type { SigningKeysStore } from './signing-keys.store.js';
import type { ThreadPool } from './thread-pool.js';

/**
 * The keys that sign tokens: an active and a next one of each algorithm. The first use creates those that are missing. All
 * processes share them through the store, and hold them in memory.
 */
export interface SigningKeys {
  /** The key that signs with this algorithm, or with the configured one. */
  active(algorithm?: SigningAlgorithm): Promise<SigningKey>;
  /** @throws Error when no key has this identifier and algorithm */
  publicKey(kid: string | undefined, alg: string | undefined): Promise<CryptoKey>;
  /**
   * The published public keys (RFC 7517): active keys, next keys, and retired keys with live tokens.
   */
  publicJwks(): Promise<JWK[]>;
  /** The algorithms that have an active key: all of {@link signingAlgorithms}. */
  algorithms(): Promise<readonly SigningAlgorithm[]>;
  list(): Promise<SigningKeySummary[]>;
  /** Creates active and next keys of the algorithms that lack them. @returns how many were missing */
  complete(): Promise<number>;
  /** Makes this and every other process read the keys again. */
  changed(): Promise<void>;
}

interface SigningKeysDeps {
  readonly store: SigningKeysStore;
  readonly sealer: Sealer;
  readonly threads: ThreadPool;
  readonly clock: Clock;
  /** The algorithm of tokens for which nobody chose another. */
  readonly algorithm: SigningAlgorithm;
  /**
   * Calls back when another process changed the keys. It returns a function that tells the other processes of
   * a change.
   */
  readonly watch: (stale: () => void) => () => Promise<void>;
}

interface Loaded {
  /** The key that signs by default. */
  readonly usual: SigningKey | undefined;
  readonly active: ReadonlyMap<SigningAlgorithm, SigningKey>;
  readonly missing: number;
  readonly publicKeys: ReadonlyMap<string, { alg: string; key: CryptoKey }>;
  readonly jwks: readonly JWK[];
}

/** Keys are read again after this time in milliseconds, in case a message is lost. */
const keyMemoryMs = 60_000;
/** For this time in milliseconds, clients and processes may not know a new key, or may still sign with the former one. */
export const spreadMs = keySetSeconds * 1000 + keyMemoryMs;
/** The least time between two reads for unknown identifiers, and after a failed read, in milliseconds. */
const pauseMs = 5_000;

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  const { store, sealer, threads, clock, algorithm } = deps;
  let held: Loaded | undefined;
  /**
   * When the keys were last read, and for how long they are fresh. The same for reads of unknown identifiers.
   */
  let fresh = { from: 0, for: 0 };
  let paused = { from: 0, for: 0 };
  let loading: Promise<Loaded> | undefined;
  const makeOnce = createSingleFlight<'missing', void>();
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
      } else {
        // The keys changed during this read. They are read again, and these serve if the store is away then.
        held ??= loaded;
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
    const active = stored.filter(({ state }) => state === 'active');
    const usual = usualOf(active, algorithm, time);
    // The usual key first, so that an error names it.
    const opened = [...(usual ? [usual] : []), ...active].map((key) => openSigningKey(key, sealer));
    return {
      usual: opened[0],
      active: new Map(opened.map((key) => [key.alg, key])),
      missing: missingKeys(stored).length,
      publicKeys: new Map(await Promise.all(stored.map(importPublicKey))),
      jwks: stored.map(publishedJwk),
    };
  }

  /**
   * The keys. If some are missing, one call creates them for all callers. If they cannot be created, the others serve.
   */
  async function ensure(): Promise<Loaded> {
    const known = await load();
    if (known.missing === 0) return known;
    try {
      await makeOnce('missing', make);
    } catch (error) {
      if (known.usual === undefined) throw error;
    }
    return load();
  }

  /** If several processes create them, one wins. */
  async function make(): Promise<void> {
    await makeMissingKeys({ store, sealer, threads, clock, algorithm });
    stale();
    await tellOthers();
  }

  const choose = ({ usual, active }: Loaded, wanted: SigningAlgorithm | undefined) =>
    wanted === undefined ? usual : active.get(wanted);

  return {
    async active(wanted) {
      const found = choose(await load(), wanted) ?? choose(await ensure(), wanted);
      if (found === undefined) throw new Error('The signing key vanished');
      return found;
    },
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
    async algorithms() {
      const { active } = await ensure();
      return signingAlgorithms.filter((name) => active.has(name));
    },
    async list() {
      return (await store.all()).map(
        ({ publicJwk: _public, sealedPrivateJwk: _sealed, ...summary }: StoredSigningKey) => summary,
      );
    },
    async complete() {
      stale();
      const { missing } = await load();
      await ensure();
      return missing;
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

/**
 * The active key of the configured algorithm. If it was added to an instance that signs already, the oldest active key signs
 * until clients can know the added one. A forced rotation replaces a key at once.
 */
function usualOf(
  active: readonly StoredSigningKey[],
  algorithm: SigningAlgorithm,
  now: Date,
): StoredSigningKey | undefined {
  const [oldest] = active.toSorted((a, b) => a.created.getTime() - b.created.getTime());
  const wanted = active.find(({ alg }) => alg === algorithm);
  if (wanted === undefined || oldest === undefined) return oldest;
  const created = wanted.created.getTime();
  const wasAdded =
    wanted.activated?.getTime() === created && created - oldest.created.getTime() > keyMemoryMs;
  return wasAdded && now.getTime() < created + spreadMs ? oldest : wanted;
}

async function importPublicKey({ kid, alg, publicJwk }: StoredSigningKey) {
  return [kid, { alg, key: (await importJWK(publicJwk, alg)) as CryptoKey }] as const;
}

function isKeyId(kid: string): boolean {
  return /^[0-9a-f-]{36}$/.test(kid);
}
