import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { type LoadedSigningKeys, type LoadSigningKeysDeps, publicationMs } from './load-signing-keys.js';
import type { UsableSigningKeys } from './read-signing-keys.js';
import { isAlwaysPublished, type SigningAlgorithm } from './signing-key.js';

/** Publishes the keys of algorithms that somebody uses. */
interface AlgorithmPublisher {
  /** Publishes the keys of an algorithm, and keeps them published for a while. Does nothing if they are for long enough. */
  publish(alg: SigningAlgorithm): Promise<void>;
  /** The same for a signature. If the store is away, the next signature or the schedule does it. */
  publishFor(keys: UsableSigningKeys, alg: SigningAlgorithm): Promise<void>;
  /** @returns whether the keys were published */
  withhold(alg: SigningAlgorithm): Promise<boolean>;
  /** Notes once that the configured algorithm signs by default, so that a process that gets another setting knows it. */
  note(keys: UsableSigningKeys, alg: SigningAlgorithm): void;
}

export function createAlgorithmPublisher(
  deps: Pick<LoadSigningKeysDeps, 'algorithms' | 'algorithm' | 'clock' | 'tokenSeconds'>,
  loaded: LoadedSigningKeys,
): AlgorithmPublisher {
  const { algorithms: records, algorithm: configured, clock } = deps;
  const { live, published } = publicationMs(deps);
  const once = createSingleFlight<SigningAlgorithm, void>();
  let isNoted = false;

  /** Whether the keys stay published for this time in milliseconds. Those without a record do until they get one. */
  function staysPublished(
    { publications }: UsableSigningKeys,
    alg: SigningAlgorithm,
    forMs: number,
  ): boolean {
    const found = publications.get(alg);
    // In the future: a process whose clock was ahead published them.
    if (found === undefined || found.published > clock.now()) return false;
    if (isAlwaysPublished(alg) || found.neededUntil === undefined) return true;
    return found.neededUntil.getTime() >= clock.now().getTime() + forMs;
  }

  const write = (alg: SigningAlgorithm) =>
    once(alg, async () => {
      await loaded.ensure();
      const now = clock.now();
      await records.publish(alg, { now, neededUntil: new Date(now.getTime() + published) });
      await loaded.changed();
    });

  return {
    async publish(alg) {
      const isLong = staysPublished(await loaded.ensure(), alg, (live + published) / 2);
      if (!isLong) await write(alg);
    },
    async publishFor(keys, alg) {
      if (!staysPublished(keys, alg, live)) await write(alg).catch(() => undefined);
    },
    async withhold(alg) {
      const wasPublished = !isAlwaysPublished(alg) && (await records.withhold(alg, clock.now()));
      if (wasPublished) await loaded.changed();
      return wasPublished;
    },
    note({ noted, isComplete }, alg) {
      if (isNoted || alg !== configured || noted === configured || !isComplete) return;
      isNoted = true;
      records.makeUsual(configured, clock.now()).catch(() => {
        isNoted = false;
      });
    },
  };
}
