export { comparableForm } from './condition.js';
export { groupPlanner, userNameOf, userPlanner } from './plan.js';
export type {
  ElementCondition,
  LeafCondition,
  RelatedCondition,
  ResourceQuery,
  TextCondition,
  WrittenTest,
} from './query.js';
