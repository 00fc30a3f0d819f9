import type { SigningAlgorithmsStore, StoredAlgorithm } from '#src/keys/signing-algorithms.store.js';

/** What the processes agree on about algorithms, in memory. */
export function algorithmRecords(): SigningAlgorithmsStore {
  const records = new Map<string, StoredAlgorithm>();
  const change = (alg: StoredAlgorithm['alg'], changed: Partial<StoredAlgorithm>) => {
    const found = records.get(alg);
    if (found !== undefined) records.set(alg, { ...found, ...changed });
  };
  return {
    all: async () => [...records.values()],
    add: async (added) => void (records.has(added.alg) || records.set(added.alg, added)),
    publish: async (alg, { now, neededUntil }) =>
      change(alg, { published: records.get(alg)?.published ?? now, neededUntil }),
    withhold: async () => false,
    makeUsual: async (alg, usualSince) => change(alg, { usualSince }),
  };
}
