import { codeSubject } from '#src/authentication/index.js';
import {
  type ChangedUser,
  type NewUser,
  revokeChangedUsers,
  writeChangedUsers,
  writeNewUsers,
} from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { PlanOutdated } from '../section/record-failure.js';
import type { SectionContext, SectionPlan } from '../section/section.js';
import type { TakenIdentifiers } from '../shared/taken-identifiers.js';
import type { HumanUsersDeps } from './users-survey.js';

/** What a part writes. */
interface UsersToWrite {
  readonly added: readonly NewUser[];
  /** The identifiers of added users that their records chose. */
  readonly chosen: readonly string[];
  readonly identifiers: TakenIdentifiers | undefined;
  readonly changed: readonly ChangedUser[];
}

/**
 * Removes the memberships that users of the same identifiers have left, if a process ended before it removed them. The new
 * users would get the groups with their roles. The identifier of such a user need not be reserved, because the service may have made it.
 */
async function forgetMemberships(
  { caches, groupMembers }: Pick<HumanUsersDeps, 'caches' | 'groupMembers'>,
  orgId: string,
  userIds: readonly string[],
  transaction: Transaction,
): Promise<void> {
  if (userIds.length > 0 && (await caches.groupGenerations.get(orgId)).hasGroups)
    await groupMembers.removeUsers(orgId, userIds, transaction);
}

/** @throws PlanOutdated if another caller has left an owner of the part as the last one who can sign in. The next plan sees it */
async function keepOwners(
  { ableOwners }: Pick<HumanUsersDeps, 'ableOwners'>,
  { editor, changed }: Pick<SectionContext, 'editor'> & Pick<UsersToWrite, 'changed'>,
  transaction: Transaction,
): Promise<void> {
  const ended = changed.filter(({ current, user }) => current.active && !user.active);
  for (const { user } of ended) {
    await ableOwners
      .keepInsteadOf(
        user.id,
        editor,
      )(transaction)
      .catch((error: unknown) => {
        throw error instanceof AppError ? new PlanOutdated() : error;
      });
  }
}

/** Returns what a plan does in its transaction and after it: it writes users, and tells other processes of them. */
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
      await forgetMemberships(deps, orgId, chosen, transaction);
      if (added.length > 0) await writeNewUsers(deps, { orgId, added, editor, date }, transaction);
      if (!(await writeChangedUsers(deps, orgId, changed, transaction))) throw new PlanOutdated();
      await keepOwners(deps, { editor, changed }, transaction);
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
