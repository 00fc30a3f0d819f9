export { applyClaims } from './apply-claims.js';
export { nameAtProvider } from './claims-to-profile.js';
export { linkWaiting, waitingOutcomes } from './link-waiting.js';
export { previewAnswer } from './preview-answer.js';
export { type PreviewDeps, type PreviewedSignIn, previewSignIn } from './preview-sign-in.js';
export { type ConnectionState, connectionObstacles, readConnectionStates } from './read-connection-states.js';
export { identitiesOf, type ShownIdentity, unlinkIdentity } from './unlink-identity.js';
