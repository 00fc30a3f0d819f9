import type { Cache } from '#src/platform/redis/cache.js';
import { type Features, featuresKey } from './features.js';
import type { FeaturesStore, VersionedFeatures } from './features.store.js';

/** Which features are on, as requests ask: cached, and fresh soon after a change in any process. */
export async function readFeatures({
  features,
  caches,
}: {
  features: FeaturesStore;
  caches: { readonly features: Cache<VersionedFeatures> };
}): Promise<Features> {
  return (await caches.features.get(featuresKey, () => features.get())) ?? features.get();
}
