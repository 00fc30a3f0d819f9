import argon2 from 'argon2';
import type { Logger } from '#src/platform/logger.js';
import { createBcryptThreads } from './bcrypt-threads.js';
import { createHashBounds, type HashLimits, type HashPlace } from './hash-bounds.js';

/**
 * Hashes passwords of people with argon2id (RFC 9106), and verifies imported bcrypt hashes. Both are bounded, by purpose
 * and by organization. {@link HashPlace} says for whom a hash is computed.
 */
export interface PasswordHasher {
  /**
   * An encoded hash, `$argon2id$...`.
   * @throws AppError `keys.hashPoolSaturated`
   */
  hash(password: string, place: HashPlace): Promise<string>;
  /**
   * Whether the password has this argon2id or bcrypt hash. Without a hash, and for a malformed one, it does
   * the same work, so that the time does not reveal whether a hash exists.
   * @throws AppError `keys.hashPoolSaturated`
   */
  verify(hash: string | undefined, password: string, place: HashPlace): Promise<boolean>;
  /** Whether the hash has another kind or cost than new ones. It is replaced when the password is known. */
  isOutdated(hash: string): boolean;
  /** Running and waiting hashes. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export interface PasswordHasherOptions extends HashLimits {
  readonly memoryKib: number;
  readonly passes: number;
  /** Logs malformed hashes, once. */
  readonly logger?: Pick<Logger, 'warn'>;
}

const bcryptHash = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Above this cost a comparison takes a second or more. An organization chooses the cost of the hashes that it imports. */
const usualBcryptCost = 12;

/** @see PasswordHasherOptions for the bounds */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const bounds = createHashBounds(options);
  // Slow comparisons have slots of their own, so that they never hold those of other organizations.
  const slowAtOnce = Math.max(1, Math.floor(options.concurrency / 2));
  const slowBounds = createHashBounds({ ...options, concurrency: slowAtOnce, reserved: 0, rest: undefined });
  const bcrypt = createBcryptThreads(options.concurrency + slowAtOnce);
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

  async function compare(known: string | undefined, password: string): Promise<boolean> {
    if (known === undefined) {
      await hash(password);
      return false;
    }
    return bcryptHash.test(known) ? bcrypt.compare(password, known) : matches(known, password);
  }

  return {
    hash: (password, place) => bounds.run(place, () => hash(password)),
    async verify(known, password, place) {
      // Nobody has the login name, so the answer is known. Without this, a flood of such names would wait long, and the wait
      // would reveal which names exist.
      const isFlood = place.orgId === undefined && bounds.waitingAt(place) >= options.concurrency;
      if (known === undefined && isFlood) return false;
      const isSlow = known !== undefined && bcryptCost(known) > usualBcryptCost;
      return (isSlow ? slowBounds : bounds).run(place, () => compare(known, password));
    },
    isOutdated: (known) => !known.startsWith('$argon2id$') || argon2.needsRehash(known, cost),
    load() {
      const [usual, slow] = [bounds.load(), slowBounds.load()];
      return { running: usual.running + slow.running, waiting: usual.waiting + slow.waiting };
    },
    close: bcrypt.close,
  };
}

/** The binary logarithm of the rounds. 0 if the hash is not a bcrypt hash. */
function bcryptCost(hash: string): number {
  return Number(bcryptHash.exec(hash)?.[1] ?? 0);
}

/** The reference decoder, and most other software, accepts the parameters only in the order m, t, p. */
function inReferenceOrder(encoded: string): string {
  return encoded.replace(/\$m=(\d+),p=(\d+),t=(\d+)\$/, '$$m=$1,t=$3,p=$2$$');
}
