export { removeUserMetadata } from './remove-user-metadata.js';
export { setUserMetadata } from './set-user-metadata.js';
export { metadataEvent, requireMetadata, type UserMetadata } from './user-metadata.js';
export type { UserMetadataStore } from './user-metadata.store.js';
