import type { ImportSection } from '../section/section.js';
import { compareUsers } from './compare-users.js';
import { planUsers } from './plan-users.js';
import { recognizeUsers } from './recognize-users.js';
import type { HumanUsersDeps } from './users-survey.js';

/**
 * `humanUsers`: people with their password hashes and second factors. Each user that is added has one event
 * `user.human.added`. A user that exists with the same content is skipped: see ./differences/user-differences.ts. In an import that
 * updates, a user that exists with other content takes it over: see ./differences/user-update.ts.
 */
export function humanUsersSection(deps: HumanUsersDeps): ImportSection {
  return {
    key: 'humanUsers',
    errorType: 'human_user',
    quota: 'users',
    comparedAtOnce: 2_000,
    successKey: 'humanUserIds',
    phase: 4,
    forms: ['external', 'instance'],
    recognition: recognizeUsers(deps),
    plan(records, context) {
      const { compared } = context;
      return compared === undefined
        ? planUsers(deps, records, context)
        : compareUsers(deps, records, { ...context, compared });
    },
  };
}
