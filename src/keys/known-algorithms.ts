import type { StoredAlgorithm } from './signing-algorithms.store.js';
import { type SigningAlgorithm, type StoredSigningKey, signingAlgorithms, spreadMs } from './signing-key.js';

/** The algorithm that an application chose for its ID tokens. */
export interface AlgorithmChoice {
  /** Undefined means the one of the instance. */
  readonly wanted?: SigningAlgorithm | undefined;
  /** Signs as long as clients may not know the keys of the wanted one. Undefined means the one of the instance. */
  readonly former?: SigningAlgorithm | undefined;
}

/** The algorithm that signs. */
export interface SigningNow {
  readonly alg: SigningAlgorithm;
  /** When the chosen algorithm takes over. Absent if it signs already, or if nobody knows. */
  readonly until?: Date;
}

/** Which algorithms clients know at a time. */
export interface KnownAlgorithms {
  /** Whether an algorithm may sign: its keys were published so long ago that every client has them. */
  isKnown(alg: SigningAlgorithm): boolean;
  /** The algorithm that signs for a choice. */
  signing(choice?: AlgorithmChoice): SigningNow;
}

/** The publication of the keys of an algorithm. */
export interface Publication {
  readonly published: Date;
  readonly neededUntil?: Date;
}

/**
 * Returns when the keys of each algorithm were published. Earlier versions published all keys, and made no records of it.
 * Algorithms whose keys are withheld are absent.
 */
export function publicationsOf(
  records: readonly StoredAlgorithm[],
  keys: readonly Pick<StoredSigningKey, 'alg' | 'created'>[],
): Map<SigningAlgorithm, Publication> {
  const found = signingAlgorithms.flatMap((alg): [SigningAlgorithm, Publication][] => {
    const record = records.find((one) => one.alg === alg);
    const published = record === undefined ? firstCreated(keys, alg) : record.published;
    if (published === undefined) return [];
    const { neededUntil } = record ?? {};
    return [[alg, { published, ...(neededUntil !== undefined && { neededUntil }) }]];
  });
  return new Map(found);
}

/** Returns when the first key of an algorithm was created. */
export function firstCreated(
  keys: readonly Pick<StoredSigningKey, 'alg' | 'created'>[],
  alg: SigningAlgorithm,
): Date | undefined {
  const [first] = keys
    .filter((key) => key.alg === alg)
    .map(({ created }) => created.getTime())
    .sort((a, b) => a - b);
  return first === undefined ? undefined : new Date(first);
}

/**
 * @param configured the algorithm of the setting
 * @param earlier the one that signed by default before. It signs until clients know the configured one
 */
export function knownAlgorithms(
  publications: ReadonlyMap<SigningAlgorithm, Publication>,
  { configured, earlier }: { configured: SigningAlgorithm; earlier: SigningAlgorithm },
  now: Date,
): KnownAlgorithms {
  /** In milliseconds since 1970. */
  const knownFrom = (alg: SigningAlgorithm): number =>
    (publications.get(alg)?.published.getTime() ?? Number.POSITIVE_INFINITY) + spreadMs;
  const isKnown = (alg: SigningAlgorithm) => knownFrom(alg) <= now.getTime();
  const usual = [configured, earlier, ...signingAlgorithms].find(isKnown) ?? earlier;
  return {
    isKnown,
    signing({ wanted, former } = {}) {
      const chosen = wanted ?? configured;
      const wishes = wanted === undefined ? [] : [wanted, ...(former === undefined ? [] : [former])];
      const signing = wishes.find(isKnown) ?? usual;
      const isWaiting = signing !== chosen && publications.has(chosen);
      return { alg: signing, ...(isWaiting && { until: new Date(knownFrom(chosen)) }) };
    },
  };
}

/** Returns when a key was published: with the other keys of its algorithm, or when it was created. Undefined if it is withheld. */
export function publishedFrom(
  { alg, created }: Pick<StoredSigningKey, 'alg' | 'created'>,
  publications: ReadonlyMap<SigningAlgorithm, Publication>,
): Date | undefined {
  const published = publications.get(alg)?.published;
  return published && (created > published ? created : published);
}
