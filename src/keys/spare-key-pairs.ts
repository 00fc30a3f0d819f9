import { type KeyPair, type KeyPairAlgorithm, newKeyPair } from './key-pair.js';
import type { ThreadPool } from './thread-pool.js';

/**
 * RSA key pairs for signing keys that are made before they are needed: to make one takes 0.05 to 1 s of a thread, and longer on a busy
 * machine. They are in memory alone. A pair that was never stored cannot have leaked with the database.
 */
export interface SpareKeyPairs {
  /** Returns a spare pair, or a new one if there is none, and begins to make others. */
  take(algorithm: KeyPairAlgorithm): Promise<KeyPair>;
  /** Makes the spare pairs that are missing, one after the other. */
  prepare(): void;
  /** The number of spare pairs. */
  count(): number;
}

/** An owner of the instance rotates twice in a row if the next key may have leaked too. */
const most = 2;

export function createSpareKeyPairs(threads: ThreadPool): SpareKeyPairs {
  const pairs: KeyPair[] = [];
  let making: Promise<KeyPair> | undefined;

  const make = (algorithm: KeyPairAlgorithm) => newKeyPair(threads, { algorithm, kind: 'signing key' });

  function prepare(): void {
    if (making !== undefined || pairs.length >= most) return;
    making = make('RS256');
    making
      .then((pair) => {
        pairs.push(pair);
      })
      .then(
        () => {
          making = undefined;
          prepare();
        },
        // The threads are busy. The next call tries again.
        () => {
          making = undefined;
        },
      );
  }

  return {
    async take(algorithm) {
      if (algorithm !== 'RS256') return make(algorithm);
      if (pairs.length === 0) await making?.catch(() => undefined);
      const pair = pairs.shift() ?? (await make(algorithm));
      prepare();
      return pair;
    },
    prepare,
    count: () => pairs.length,
  };
}
