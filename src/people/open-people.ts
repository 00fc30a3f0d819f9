import { createUserGroups } from './groups/user-groups.js';
import { createWriteMembers } from './groups/write-members.js';
import { createUserCounter } from './totals/user-counter.js';
import { createPeople } from './users/people.js';
import { createWriteNewUser } from './users/write-new-users.js';

type OpenPeopleDeps = Parameters<typeof createPeople>[0] &
  Parameters<typeof createUserGroups>[0] &
  Parameters<typeof createWriteMembers>[0] &
  Parameters<typeof createWriteNewUser>[0] &
  Parameters<typeof createUserCounter>[0];

/** Opens cached people and their groups, the writers that combine simultaneous calls, and the count of users. */
export function openPeople(deps: OpenPeopleDeps) {
  return {
    people: createPeople(deps),
    userGroups: createUserGroups(deps),
    writeMembers: createWriteMembers(deps),
    writeNewUser: createWriteNewUser(deps),
    userCounter: createUserCounter(deps),
  };
}
