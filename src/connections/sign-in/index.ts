export { beginAtProvider } from './begin-at-provider.js';
export {
  admitPerson,
  type FinishDeps,
  type FinishedSignIn,
  finishAtProvider,
} from './finish-at-provider.js';
export type { SignInRefusal } from './record-refusal.js';
export { redirectUriOf } from './redirect-uri.js';
export { servingConnection } from './serving-connection.js';
