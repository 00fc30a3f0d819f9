export { comparableForm } from './condition.js';
export { groupPlanner, userNameOf, userPlanner } from './plan.js';
export type {
  AnyRelatedCondition,
  LeafCondition,
  RangeCondition,
  RelatedCondition,
  ResourceQuery,
  TextCondition,
} from './query.js';
