export { type OpenedAuthentication, openAuthentication } from './open-authentication.js';
