import type { Cache } from '#src/platform/redis/cache.js';
import { type Features, featuresKey } from './features.js';

/**
 * Returns the features that are on. The result comes from a cache. A change in any process invalidates the caches of
 * all processes.
 */
export function readFeatures({
  caches,
}: {
  caches: { readonly features: Cache<Features> };
}): Promise<Features> {
  return caches.features.get(featuresKey);
}
