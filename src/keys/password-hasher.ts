import argon2 from 'argon2';
import type { Logger } from '#src/platform/logger.js';
import { createBcryptThreads } from './bcrypt-threads.js';
import { createHashBounds } from './hash-bounds.js';

/** Hashes human passwords with argon2id (RFC 9106) and verifies those that were imported as bcrypt, bounded. */
export interface PasswordHasher {
  /** The encoded hash, `$argon2id$...`. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password has this argon2id or bcrypt hash. Without a hash the same work is done for nothing, so that
   * who asks cannot tell from the time whether there is one; so it is for a hash that cannot be read.
   */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  /** Whether the hash is of another kind or cost than new ones: to be replaced when the password is known. */
  isOutdated(hash: string): boolean;
  /** Hashes being computed and waiting. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export interface PasswordHasherOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** Hashes computed at once. */
  readonly concurrency: number;
  /** Hashes that may wait; one more fails with `keys.hashPoolSaturated`. */
  readonly queue: number;
  /** Is told how long each hash waited for its turn, in seconds. */
  readonly waited?: ((seconds: number) => void) | undefined;
  /** Is told of each hash that found no place in the queue. */
  readonly refused?: (() => void) | undefined;
  /** Told once of hashes that cannot be read. */
  readonly logger?: Pick<Logger, 'warn'>;
}

const bcryptHash = /^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** @see PasswordHasherOptions for the bounds */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const bounds = createHashBounds(options);
  const bcrypt = createBcryptThreads(options.concurrency);
  const cost = { memoryCost: options.memoryKib, timeCost: options.passes, parallelism: 1 };
  const hash = async (password: string) =>
    inReferenceOrder(await argon2.hash(password, { type: argon2.argon2id, ...cost }));

  let told = false;
  async function matches(known: string, password: string): Promise<boolean> {
    try {
      return await argon2.verify(known, password);
    } catch (error) {
      // Fails as well where the fault is not the hash's, for want of memory.
      await hash(password);
      if (!told) options.logger?.warn({ err: error }, 'a stored password hash cannot be read');
      told = true;
      return false;
    }
  }

  return {
    hash: (password) => bounds.run(() => hash(password)),
    verify: (known, password) =>
      bounds.run(async () => {
        if (known === undefined) {
          await hash(password);
          return false;
        }
        return bcryptHash.test(known) ? bcrypt.compare(password, known) : matches(known, password);
      }),
    isOutdated: (known) => !known.startsWith('$argon2id$') || argon2.needsRehash(known, cost),
    load: bounds.load,
    close: bcrypt.close,
  };
}

/** The reference decoder, and so most other software, takes the parameters in the order m, t, p alone. */
function inReferenceOrder(encoded: string): string {
  return encoded.replace(/\$m=(\d+),p=(\d+),t=(\d+)\$/, '$$m=$1,t=$3,p=$2$$');
}
