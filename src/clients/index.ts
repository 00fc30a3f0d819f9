export { openClients } from './open-clients.js';
