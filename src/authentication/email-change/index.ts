export { type BegunEmailChange, beginEmailChange } from './begin-email-change.js';
export { finishEmailChange } from './finish-email-change.js';
export { createPendingEmailsStore, type PendingEmailsStore } from './pending-emails.store.js';
