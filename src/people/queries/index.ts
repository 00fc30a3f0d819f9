export { comparableForm } from './condition.js';
export { groupPlanner, userNameOf, userPlanner } from './plan.js';
export type { LeafCondition, RelatedCondition, ResourceQuery, TextCondition } from './query.js';
