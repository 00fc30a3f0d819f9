export { clientCollections, type OpenedClients, openClients } from './open-clients.js';
