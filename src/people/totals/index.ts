export { correctUserTotals } from './correct-user-totals.js';
export type { UserCounter } from './user-counter.js';
