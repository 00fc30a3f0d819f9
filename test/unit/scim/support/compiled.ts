import { userCondition } from '#src/people/queries/condition.js';
import { userPlanner } from '#src/people/queries/plan.js';
import { compileFilter } from '#src/scim/filter/compile-filter.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';

/** The condition on users that MongoDB gets for a filter. */
export const conditionFor = (filter: string) => userCondition(compileFilter(filter, userSchema));

/** The conditions of a filter for which every user is read. @param externalIdsOf a client that has externalIds of its own */
export const scanningConditions = (filter: string, externalIdsOf?: string) =>
  userPlanner.scanning(
    compileFilter(filter, externalIdsOf === undefined ? userSchema : { ...userSchema, externalIdsOf }),
  );
