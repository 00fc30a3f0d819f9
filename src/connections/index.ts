export { connectionCollections, type OpenedConnections, openConnections } from './open-connections.js';
export { connectionErrors } from './registry/errors.js';
