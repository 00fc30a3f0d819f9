export { changeFeatures } from './change-features.js';
export type { Features } from './features.js';
export { readFeatures } from './read-features.js';
