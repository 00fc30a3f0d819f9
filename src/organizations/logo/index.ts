export { logoLimits } from './encode-logo.js';
export { logoAddress, logoPath } from './logo-address.js';
export { createLogosStore, type LogosStore, logoIndexes } from './logos.store.js';
export { findLogo, importedLogo, type Logo, type PictureThreads, setLogo, shownLogo } from './set-logo.js';
