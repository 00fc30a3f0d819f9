export { type PreviewDeps, type PreviewedSignIn, previewSignIn } from './preview-sign-in.js';
export { type ConnectionState, connectionObstacles, readConnectionStates } from './read-connection-states.js';
export { identitiesOf, type ShownIdentity, unlinkIdentity } from './unlink-identity.js';
