export { type BegunEmailChange, beginEmailChange } from './begin-email-change.js';
export { finishEmailChange } from './finish-email-change.js';
