import type { Cache } from '#src/platform/redis/cache.js';
import { type Features, featuresKey } from './features.js';

/** Which features are on. The answer is cached, and fresh soon after a change in any process. */
export function readFeatures({
  caches,
}: {
  caches: { readonly features: Cache<Features> };
}): Promise<Features> {
  return caches.features.get(featuresKey);
}
