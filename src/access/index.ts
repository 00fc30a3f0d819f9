export { accessCollections, type OpenedAccess, openAccess } from './open-access.js';
