export { correctUserTotals } from './correct-user-totals.js';
export { createUserCounter, type UserCounter } from './user-counter.js';
