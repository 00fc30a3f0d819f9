import type { CryptoKey, JWK } from 'jose';
import type { Clock } from '#src/platform/clock.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { makeMissingKeys } from './missing-keys.js';
import { readSigningKeys, type UsableSigningKeys } from './read-signing-keys.js';
import type { Sealer } from './sealer.js';
import {
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeySummary,
  type StoredSigningKey,
  signingAlgorithms,
} from './signing-key.js';
import { createSigningKeyMemory } from './signing-key-memory.js';
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

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  const { store, clock } = deps;
  const memory = createSigningKeyMemory(clock, () => readSigningKeys(deps));
  const tellOthers = deps.watch(memory.stale);
  const makeOnce = createSingleFlight<'missing', void>();

  /**
   * The keys. If some are missing, one call creates them for all callers. If they cannot be created, the others serve.
   */
  async function ensure(): Promise<UsableSigningKeys> {
    const known = await memory.load();
    if (known.missing === 0) return known;
    try {
      await makeOnce('missing', make);
    } catch (error) {
      if (known.usual === undefined) throw error;
    }
    return memory.load();
  }

  /** If several processes create them, one wins. */
  async function make(): Promise<void> {
    await makeMissingKeys(deps);
    await changed();
  }

  async function changed(): Promise<void> {
    memory.stale();
    await tellOthers();
  }

  return {
    async active(wanted) {
      const found = choose(await memory.load(), wanted) ?? choose(await ensure(), wanted);
      if (found === undefined) throw new Error('The signing key vanished');
      return found;
    },
    async publicKey(kid, wantedAlg) {
      const find = async () => (kid === undefined ? undefined : (await memory.load()).publicKeys.get(kid));
      let found = await find();
      if (found === undefined && kid !== undefined && isKeyId(kid) && memory.forgetUnlessPaused()) {
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
      memory.stale();
      const { missing } = await memory.load();
      await ensure();
      return missing;
    },
    changed,
  };
}

function choose({ usual, active }: UsableSigningKeys, wanted: SigningAlgorithm | undefined) {
  return wanted === undefined ? usual : active.get(wanted);
}

function isKeyId(kid: string): boolean {
  return /^[0-9a-f-]{36}$/.test(kid);
}
