import argon2 from 'argon2';
import type { Logger } from '#src/platform/logger.js';
import { createBcryptThreads } from './bcrypt-threads.js';
import { createHashBounds } from './hash-bounds.js';

/**
 * Hashes passwords of people with argon2id (RFC 9106), and verifies imported bcrypt hashes. Both are bounded.
 */
export interface PasswordHasher {
  /** An encoded hash, `$argon2id$...`. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password has this argon2id or bcrypt hash. Without a hash, and for a malformed one, it does
   * the same work, so that the time does not reveal whether a hash exists.
   */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  /** Whether the hash has another kind or cost than new ones. It is replaced when the password is known. */
  isOutdated(hash: string): boolean;
  /** Running and waiting hashes. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export interface PasswordHasherOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** Hashes that run at once. */
  readonly concurrency: number;
  /** Hashes that may wait. One more fails with `keys.hashPoolSaturated`. */
  readonly queue: number;
  /** Called with the time that each hash waited, in seconds. */
  readonly waited?: ((seconds: number) => void) | undefined;
  /** Called for each hash that the full queue refused. */
  readonly refused?: (() => void) | undefined;
  /** Logs malformed hashes, once. */
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
      // Fails too if the fault is not in the hash, for example if memory is short.
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

/** The reference decoder, and most other software, accepts the parameters only in the order m, t, p. */
function inReferenceOrder(encoded: string): string {
  return encoded.replace(/\$m=(\d+),p=(\d+),t=(\d+)\$/, '$$m=$1,t=$3,p=$2$$');
}
