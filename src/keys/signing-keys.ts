import type { CryptoKey, JWK } from 'jose';
import {
  type AlgorithmChoice,
  type KnownAlgorithms,
  knownAlgorithms,
  publishedFrom,
  type SigningNow,
} from './known-algorithms.js';
import { type LoadSigningKeysDeps, loadSigningKeys } from './load-signing-keys.js';
import { createAlgorithmPublisher } from './publish-algorithms.js';
import type { UsableSigningKeys } from './read-signing-keys.js';
import {
  publishedJwk,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeySummary,
  type StoredSigningKey,
  signingAlgorithms,
} from './signing-key.js';

/**
 * The keys that sign tokens: an active and a next one of each algorithm. The first use creates those that are missing. All
 * processes share them through the store, and hold them in memory.
 *
 * The keys of an algorithm are published once somebody uses it, and then sign when every client can know them. They stay published
 * as long as a token that they signed is valid.
 */
export interface SigningKeys {
  /** The key that signs for a choice. A chosen algorithm whose keys are withheld is published by this. */
  active(choice?: AlgorithmChoice): Promise<SigningKey>;
  /** @throws Error when no key has this identifier and algorithm */
  publicKey(kid: string | undefined, alg: string | undefined): Promise<CryptoKey>;
  /**
   * The published public keys (RFC 7517): active keys, next keys, and retired keys with live tokens. The active key of the default
   * algorithm is the first, because some libraries use no other. The others of that algorithm follow, and then those of other kinds.
   */
  publicJwks(): Promise<JWK[]>;
  /** The algorithms that have an active key: all of {@link signingAlgorithms}, published or not. */
  algorithms(): Promise<readonly SigningAlgorithm[]>;
  /** Which algorithms clients know now. */
  known(): Promise<KnownAlgorithms>;
  /** Which algorithm signs by default now, and which one is configured. */
  usual(): Promise<SigningNow & { readonly configured: SigningAlgorithm }>;
  /** Publishes the keys of an algorithm that somebody chose, and keeps them published for a while. */
  publish(alg: SigningAlgorithm): Promise<void>;
  /**
   * Withholds the keys of an algorithm that nobody uses and that signed no live token.
   * @returns whether they were published
   */
  withhold(alg: SigningAlgorithm): Promise<boolean>;
  /** Those that have not expired, in the order of their creation. */
  list(): Promise<SigningKeySummary[]>;
  /** Creates active and next keys of the algorithms that lack them. @returns how many were missing */
  complete(): Promise<number>;
  /** Makes this and every other process read the keys again. */
  changed(): Promise<void>;
}

export function createSigningKeys(deps: LoadSigningKeysDeps): SigningKeys {
  const { clock, algorithm: configured } = deps;
  const loaded = loadSigningKeys(deps);
  const { load, ensure } = loaded;
  const publisher = createAlgorithmPublisher(deps, loaded);

  const knownIn = (keys: UsableSigningKeys) =>
    knownAlgorithms(keys.publications, { configured, earlier: keys.earlier }, clock.now());

  return {
    async active(choice = {}) {
      const found = await load();
      const keys = found.active.size === 0 ? await ensure() : found;
      const { alg } = knownIn(keys).signing(choice);
      // The token does not wait for the keys of the chosen algorithm. Another one signs it.
      if (!keys.isComplete) void ensure().catch(() => undefined);
      if (choice.wanted !== undefined && choice.wanted !== alg)
        void publisher.publishFor(keys, choice.wanted);
      await publisher.publishFor(keys, alg);
      if (choice.wanted === undefined) publisher.note(keys, alg);
      const key = keys.active.get(alg) ?? (await ensure()).active.get(alg);
      if (key === undefined) throw new Error('The signing key vanished');
      return key;
    },
    async publicKey(kid, wantedAlg) {
      const find = async () => (kid === undefined ? undefined : (await load()).publicKeys.get(kid));
      let found = await find();
      if (found === undefined && kid !== undefined && isKeyId(kid) && loaded.forgetUnlessPaused()) {
        found = await find();
      }
      if (found === undefined || found.alg !== wantedAlg) throw new Error('No such signing key');
      return found.key;
    },
    async publicJwks() {
      const keys = await ensure();
      const { alg: usual } = knownIn(keys).signing();
      const order = [usual, ...signingAlgorithms.filter((alg) => alg !== usual)];
      return order
        .filter((alg) => keys.publications.has(alg))
        .flatMap((alg) => keys.stored.filter((key) => key.alg === alg).map(publishedJwk));
    },
    async algorithms() {
      const { active } = await ensure();
      return signingAlgorithms.filter((name) => active.has(name));
    },
    known: async () => knownIn(await ensure()),
    usual: async () => ({ ...knownIn(await ensure()).signing(), configured }),
    publish: publisher.publish,
    withhold: publisher.withhold,
    async list() {
      // An administrator sees the present state, not that of memory.
      loaded.stale();
      const { stored, publications } = await ensure();
      return stored.toSorted((a, b) => a.kid.localeCompare(b.kid)).map((key) => summaryOf(key, publications));
    },
    async complete() {
      loaded.stale();
      const { missing } = await load();
      await ensure();
      return missing;
    },
    changed: loaded.changed,
  };
}

function summaryOf(
  { publicJwk: _public, sealedPrivateJwk: _sealed, ...summary }: StoredSigningKey,
  publications: UsableSigningKeys['publications'],
): SigningKeySummary {
  const published = publishedFrom(summary, publications);
  return { ...summary, ...(published !== undefined && { published }) };
}

function isKeyId(kid: string): boolean {
  return /^[0-9a-f-]{36}$/.test(kid);
}
