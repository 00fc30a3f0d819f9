export { identitiesOf, type ShownIdentity, unlinkIdentity } from './unlink-identity.js';
