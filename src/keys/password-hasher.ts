import argon2 from 'argon2';
import type { Logger } from '#src/platform/logger.js';
import { createHashThreads } from './hash-threads.js';
import { normalizedPassword, passwordForms } from './password-forms.js';
import type { PasswordHash } from './password-hashes/hash-format.js';
import { readPasswordHash } from './password-hashes/read-password-hash.js';
import type { ThreadPool, ThreadWork } from './thread-pool.js';

/** `sign-in` is work for which a person waits at a sign-in. `other` is everything else, such as creations and imports. */
type HashPurpose = 'sign-in' | 'other';

/** For whom a hash is computed. Work of equal places waits in the order of its arrival. */
interface HashedFor {
  readonly purpose: HashPurpose;
  /** The organization of the person. Undefined if no organization is known to have the login name. */
  readonly orgId: string | undefined;
}

/**
 * Hashes passwords of people with argon2id (RFC 9106), and verifies the hashes of other systems too. Both are bounded, by
 * purpose and by organization. {@link HashedFor} says for whom a hash is computed.
 */
export interface PasswordHasher {
  /**
   * An encoded hash of the normalized password, `$argon2id$...`.
   * @throws AppError `keys.hashPoolSaturated`
   */
  hash(password: string, hashedFor: HashedFor): Promise<string>;
  /**
   * Whether the password has this hash, which {@link readPasswordHash} can read. Without a hash, and for a malformed one, it
   * does the work of a new hash, so that the time does not reveal whether a hash exists. All forms of {@link passwordForms} are compared, also
   * after one has matched.
   * @throws AppError `keys.hashPoolSaturated`
   */
  verify(hash: string | undefined, password: string, hashedFor: HashedFor): Promise<boolean>;
  /** The same work. Returns the form of the password that has the hash. */
  matchingForm(hash: string | undefined, password: string, hashedFor: HashedFor): Promise<string | undefined>;
  /** Whether the hash has another kind or cost than new ones. It is replaced when the password is known. */
  isOutdated(hash: string): boolean;
  /** Running and waiting hashes. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export interface PasswordHasherOptions {
  /** Hashes run as work of these threads. */
  readonly threads: ThreadPool;
  /** Hashes that are computed at once. */
  readonly concurrency: number;
  readonly memoryKib: number;
  readonly passes: number;
  /** Finds the pepper of an organization. Asked only for a hash that needs one. */
  readonly pepperOf?: ((orgId: string) => Promise<string | undefined>) | undefined;
  /** Logs malformed hashes, once. */
  readonly logger?: Pick<Logger, 'warn'>;
}

/**
 * A comparison that takes more than this, and more than a hash of this service, is slow.
 */
const usual = { milliseconds: 400, memoryKib: 65_536 };

/** What this service writes: argon2id without a secret and without associated data. */
const ownForm = /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/;

/** The kinds of work: of a usual cost, and slow. */
const works: Readonly<Record<HashPurpose, { readonly usual: ThreadWork; readonly slow: ThreadWork }>> = {
  'sign-in': { usual: 'sign-in hash', slow: 'slow sign-in hash' },
  other: { usual: 'hash', slow: 'slow hash' },
};
const allWorks = Object.values(works).flatMap((work) => [work.usual, work.slow]);

export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const { threads } = options;
  const comparisons = createHashThreads(
    options.concurrency + Math.max(1, Math.floor(options.concurrency / 2)),
  );
  const cost = { memoryCost: options.memoryKib, timeCost: options.passes, parallelism: 1 };
  const hash = async (password: string) =>
    inReferenceOrder(await argon2.hash(password, { type: argon2.argon2id, ...cost }));

  let hasWarned = false;
  async function compare(
    known: PasswordHash | undefined,
    password: string,
    pepper: string | undefined,
  ): Promise<boolean> {
    if (known === undefined || (known.needsPepper && pepper === undefined)) {
      await hash(password);
      return false;
    }
    if (known.matches !== undefined) return comparisons.compare(password, known.text, pepper);
    try {
      return await verifyArgon2(known, password, pepper);
    } catch (error) {
      // Fails too if the fault is not in the hash, for example if memory is short.
      await hash(password);
      if (!hasWarned) options.logger?.warn({ err: error }, 'a stored password hash cannot be verified');
      hasWarned = true;
      return false;
    }
  }

  /** Returns undefined for a text that nothing can read. */
  function read(text: string): PasswordHash | undefined {
    const reading = readPasswordHash(text);
    if (typeof reading === 'object') return reading;
    // The settings allow higher costs than an import does.
    if (text.startsWith('$argon2')) return { text, milliseconds: 0 };
    if (!hasWarned) options.logger?.warn('a stored password hash cannot be read');
    hasWarned = true;
    return undefined;
  }

  async function matchingForm(
    known: string | undefined,
    password: string,
    { purpose, orgId }: HashedFor,
  ): Promise<string | undefined> {
    const work = works[purpose];
    // Nobody has the login name, so the answer is known. Without this, a flood of such names would wait long, and the wait
    // would reveal which names exist.
    const isFlood = orgId === undefined && threads.waiting(work.usual, orgId) >= options.concurrency;
    if (known === undefined && isFlood) return undefined;
    const hash = known === undefined ? undefined : read(known);
    const kind = hash !== undefined && isSlow(hash, options) ? work.slow : work.usual;
    const pepper = usesPepper(hash) && orgId !== undefined ? await options.pepperOf?.(orgId) : undefined;
    let matching: string | undefined;
    // Each waits for its turn, so that no text takes a slot for longer than others.
    for (const form of passwordForms(password)) {
      const isRight = await threads.run(kind, orgId, () => compare(hash, form, pepper));
      if (isRight) matching ??= form;
    }
    return matching;
  }

  return {
    hash: (password, { purpose, orgId }) =>
      threads.run(works[purpose].usual, orgId, async () => hash(normalizedPassword(password))),
    verify: async (known, password, hashedFor) =>
      (await matchingForm(known, password, hashedFor)) !== undefined,
    matchingForm,
    isOutdated: (known) => !ownForm.test(known) || argon2.needsRehash(known, cost),
    load: () => threads.load(allWorks),
    close: comparisons.close,
  };
}

/** An organization chooses the cost of the hashes that it imports. */
function isSlow(
  { milliseconds, memoryKib = 0 }: PasswordHash,
  options: Pick<PasswordHasherOptions, 'memoryKib' | 'passes'>,
): boolean {
  const configured = {
    milliseconds: (options.memoryKib * options.passes) / 1_000,
    memoryKib: options.memoryKib,
  };
  return (
    milliseconds > Math.max(usual.milliseconds, configured.milliseconds) ||
    memoryKib > Math.max(usual.memoryKib, configured.memoryKib)
  );
}

function usesPepper(hash: PasswordHash | undefined): boolean {
  return hash?.needsPepper === true || hash?.argon2?.isKeyed === true;
}

function verifyArgon2(known: PasswordHash, password: string, pepper: string | undefined): Promise<boolean> {
  const { text = known.text, isKeyed, prepare } = known.argon2 ?? {};
  const secret = isKeyed && pepper !== undefined ? { secret: Buffer.from(pepper) } : {};
  return argon2.verify(text, prepare?.(password, pepper ?? '') ?? password, secret);
}

/** The reference decoder, and most other software, accepts the parameters only in the order m, t, p. */
function inReferenceOrder(encoded: string): string {
  return encoded.replace(/\$m=(\d+),p=(\d+),t=(\d+)\$/, '$$m=$1,t=$3,p=$2$$');
}
