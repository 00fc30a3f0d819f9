export { changeFeatures } from './change-features.js';
export type { Features } from './features.js';
export { createFeaturesStore, featureIndexes } from './features.store.js';
export { readFeatures } from './read-features.js';
