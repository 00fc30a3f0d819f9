export type { Departure } from '../saml/saml-tasks.js';
export { beginAtProvider } from './begin-at-provider.js';
export { type EndAtProviderDeps, endAtProvider, finishLogout, keepLogoutHint } from './end-at-provider.js';
export { type EndByProviderDeps, endByProvider } from './end-by-provider.js';
export { type EndBySamlDeps, endBySaml, keyOfNameId } from './end-by-saml.js';
export { endSignInTest, type TestDeps } from './end-sign-in-test.js';
export {
  admitPerson,
  type FinishDeps,
  type FinishedSignIn,
  finishAtProvider,
} from './finish-at-provider.js';
export {
  addPendingPerson,
  keepPendingLink,
  linkByPerson,
  mayProveAccount,
  readPendingLink,
} from './link-arrival.js';
export type { PendingLink } from './pending-links.store.js';
export type { SignInRefusal } from './record-refusal.js';
export { redirectUriOf, signedOutUri } from './redirect-uri.js';
export { requireUsable } from './require-usable.js';
export { servingConnection } from './serving-connection.js';
export { type SignInTest, testLifeMs } from './sign-in-tests.store.js';
