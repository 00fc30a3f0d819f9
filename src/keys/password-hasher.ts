import argon2 from 'argon2';
import { AppError } from '#src/platform/errors.js';
import { keyErrors } from './errors.js';

/** Hashes human passwords with argon2id (RFC 9106); the work is bounded so that a burst cannot stop the process. */
export interface PasswordHasher {
  /** The encoded hash, `$argon2id$...`. */
  hash(password: string): Promise<string>;
  /** Whether the password has this argon2id hash. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Hashes being computed and waiting. */
  load(): { running: number; waiting: number };
}

export interface PasswordHasherOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** Hashes computed at once. */
  readonly concurrency: number;
  /** Hashes that may wait; one more fails with `keys.hashPoolSaturated`. */
  readonly queue: number;
}

/** @see PasswordHasherOptions for the bounds */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (running >= options.concurrency) {
      if (waiting.length >= options.queue)
        throw new AppError(keyErrors.hashPoolSaturated, { retryAfterSeconds: 1 });
      // The one that finishes hands its place over, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    hash: (password) =>
      bounded(async () =>
        inReferenceOrder(
          await argon2.hash(password, {
            type: argon2.argon2id,
            memoryCost: options.memoryKib,
            timeCost: options.passes,
            parallelism: 1,
          }),
        ),
      ),
    verify: (hash, password) => bounded(() => argon2.verify(hash, password)),
    load: () => ({ running, waiting: waiting.length }),
  };
}

/** The reference decoder, and so most other software, takes the parameters in the order m, t, p alone. */
function inReferenceOrder(encoded: string): string {
  return encoded.replace(/\$m=(\d+),p=(\d+),t=(\d+)\$/, '$$m=$1,t=$3,p=$2$$');
}
