import { publicationsOf, publishedFrom } from './known-algorithms.js';
import { readStored } from './read-signing-keys.js';
import { type RotateSigningKeysDeps, rotateSigningKeys } from './rotate-signing-keys.js';
import { type SigningAlgorithm, type StoredSigningKey, signingAlgorithms, spreadMs } from './signing-key.js';

/** `algorithm`: the one of the setting. */
export interface SigningKeyMaintenanceDeps extends RotateSigningKeysDeps {
  readonly algorithm: SigningAlgorithm;
}

/** What was done, for the log. */
interface SigningKeyMaintenance {
  readonly removed: number;
  /** Keys that were missing, such as those of a further algorithm after an upgrade. */
  readonly added: number;
  readonly rotated: readonly SigningAlgorithm[];
  /** The algorithms whose keys are not published any more. */
  readonly withheld: readonly SigningAlgorithm[];
}

/**
 * Does what is due for the signing keys. It removes keys without live tokens. It adds the keys of algorithms that lack them. It
 * publishes the keys of algorithms that somebody uses, and withholds those that nobody uses. It rotates each active key that is too
 * old, once the next key of its algorithm was published long enough. It may run at any time, in several processes, and again after a
 * crash.
 * @param due `rotationSeconds`: the greatest age of an active key; 0 means no limit. `chosen`: the algorithms that applications use
 */
export async function maintainSigningKeys(
  deps: SigningKeyMaintenanceDeps,
  { rotationSeconds, chosen }: { rotationSeconds: number; chosen: readonly SigningAlgorithm[] },
): Promise<SigningKeyMaintenance> {
  const { store, algorithms, signingKeys, clock } = deps;
  const added = await signingKeys.complete();
  const now = clock.now();
  const removed = await store.removeExpired(now);
  const withheld = await publishUsed(deps, new Set([...chosen, deps.algorithm]));
  const { keys, records } = await readStored({ store, algorithms });
  const publications = publicationsOf(records, keys);
  const rotated = signingAlgorithms.filter((alg) => {
    const active = keys.find((key) => key.alg === alg && key.state === 'active');
    const next = keys.find((key) => key.alg === alg && key.state === 'next');
    if (active === undefined || next === undefined) return false;
    const published = publishedFrom(next, publications)?.getTime() ?? 0;
    return isOld(active, rotationSeconds, now) && now.getTime() >= published + spreadMs;
  });
  const editor = { userId: 'muster', service: 'schedule' };
  if (rotated.length > 0) await rotateSigningKeys(deps, { editor, algorithms: rotated });
  else if (removed > 0) await signingKeys.changed();
  return { removed, added, rotated, withheld };
}

/** @returns the algorithms whose keys were published and are not any more */
async function publishUsed(
  { signingKeys }: RotateSigningKeysDeps,
  used: ReadonlySet<SigningAlgorithm>,
): Promise<SigningAlgorithm[]> {
  const withheld: SigningAlgorithm[] = [];
  for (const alg of signingAlgorithms) {
    if (used.has(alg)) await signingKeys.publish(alg);
    else if (await signingKeys.withhold(alg)) withheld.push(alg);
  }
  return withheld;
}

function isOld({ activated, created }: StoredSigningKey, rotationSeconds: number, now: Date): boolean {
  if (rotationSeconds === 0) return false;
  return now.getTime() - (activated ?? created).getTime() >= rotationSeconds * 1000;
}
