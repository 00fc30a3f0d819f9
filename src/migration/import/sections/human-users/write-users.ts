import { codeSubject } from '#src/directory/sign-in/attempt-subjects.js';
import type { NewUser } from '#src/directory/users/users.store.js';
import {
  type ChangedUser,
  revokeChangedUsers,
  writeChangedUsers,
} from '#src/directory/users/write-changed-users.js';
import { writeNewUsers } from '#src/directory/users/write-new-users.js';
import { PlanOutdated } from '../record-failure.js';
import type { SectionContext, SectionPlan } from '../section.js';
import type { TakenIdentifiers } from '../taken-identifiers.js';
import type { HumanUsersDeps } from './users-part.js';

/** What a part writes. */
export interface UsersToWrite {
  readonly added: readonly NewUser[];
  /** The identifiers of added users that their records chose. */
  readonly chosen: readonly string[];
  readonly identifiers: TakenIdentifiers | undefined;
  readonly changed: readonly ChangedUser[];
}

/** Returns the parts of a plan that write users, and tell other processes of them. */
export function writeUsers(
  deps: HumanUsersDeps,
  { orgId, editor, now: date }: SectionContext,
  { added, chosen, identifiers, changed }: UsersToWrite,
): Required<Pick<SectionPlan, 'write' | 'tried' | 'written'>> {
  let isWritten = false;
  return {
    async write(transaction) {
      isWritten = false;
      await identifiers?.reserve(chosen, transaction);
      if (added.length > 0) await writeNewUsers(deps, { orgId, added, editor, date }, transaction);
      if (!(await writeChangedUsers(deps, orgId, changed, transaction))) throw new PlanOutdated();
      isWritten = true;
    },
    async tried() {
      await deps.revocations.restamp(...changed.map(({ user }) => user.id));
      // If a store is away, the revocations of the write are all that there is.
      if (isWritten) await revokeChangedUsers(deps, changed).catch(() => undefined);
    },
    async written() {
      await deps.userCounter.changed(orgId);
      // Wrong codes of the former factor no longer count.
      const factors = changed.filter(({ totp }) => totp !== undefined);
      await Promise.allSettled(factors.map(({ user }) => deps.codeAttempts.forget(codeSubject(user.id))));
    },
  };
}
