export { changeFeatures } from './change-features.js';
export type { Features } from './features.js';
export { createFeaturesStore, featureIndexes, type VersionedFeatures } from './features.store.js';
export { readFeatures } from './read-features.js';
