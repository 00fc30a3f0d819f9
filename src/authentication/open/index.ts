export { openAuthentication } from './open-authentication.js';
