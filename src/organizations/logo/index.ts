export { logoLimits } from './encode-logo.js';
export { createLogosStore, type LogosStore, logoIndexes } from './logos.store.js';
export { findLogo, logoPath, removeLogo, setLogo } from './set-logo.js';
