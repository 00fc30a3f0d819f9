import type { ChangedUser } from '#src/people/users/index.js';
import { failedOutcome } from '../section/record-failure.js';
import type { DoubtfulValue, Outcome, Reservation, SectionContext, SectionPlan } from '../section/section.js';
import { decideUser } from './decide-user.js';
import { type UserUpdate, updatedUser } from './differences/user-update.js';
import { firstSignInOf } from './first-sign-in-of.js';
import { lookUpUsers } from './look-up-users.js';
import { newAccount, type UserOfRecord, withHashes } from './new-account.js';
import { isRead, readHumanUsers } from './read/read-human-users.js';
import { reservedNamesOf } from './reserved-names-of.js';
import type { HumanUsersDeps } from './users-survey.js';
import { writeUsers } from './write-users.js';

/** Plans the records of one part of an import: reads them, looks up who is there, and decides about each in the order of the file. */
export async function planUsers(
  deps: HumanUsersDeps,
  records: readonly unknown[],
  context: SectionContext,
): Promise<SectionPlan> {
  const { rules, inputs } = await readHumanUsers(deps, records, context);
  const users = await lookUpUsers(deps, { context, rules, inputs: inputs.filter(isRead) });
  const survey = { deps, context, rules, users };
  const outcomes: Outcome[] = [];
  const created: UserOfRecord[] = [];
  const updates: UserUpdate[] = [];
  const doubts: DoubtfulValue[] = [];
  const signIns = { password: 0, link: 0, hook: 0, none: 0, disabled: 0 };
  const reservations: Reservation[] = [];
  for (const [record, input] of inputs.entries()) {
    if (!isRead(input)) {
      outcomes.push(input);
      continue;
    }
    try {
      const decision = await decideUser(survey, input);
      const { kind, account } = decision;
      // Also of a record that is skipped, so that the first of two records counts.
      users.setDecided(account);
      outcomes.push({ kind, id: account.user.id });
      if (input.dropped) doubts.push({ record, path: `user.${input.dropped}` });
      if ('keptCredentials' in decision) {
        for (const name of decision.keptCredentials ?? []) doubts.push({ record, path: `user.${name}` });
      }
      if (kind === 'skipped') continue;
      signIns[firstSignInOf(account, input, rules)] += 1;
      if ('update' in decision) updates.push(decision.update);
      else created.push({ input, added: account });
      reservations.push({ record, names: reservedNamesOf(context, account, kind) });
    } catch (error) {
      outcomes.push(failedOutcome(error, input.id ?? input.profile.userName));
    }
  }
  const added = await withHashes(deps, context, created);
  const changed = await changedUsers(deps, context, updates);
  const chosen = created.flatMap(({ input: { id } }) => (id === undefined ? [] : [id]));
  const { identifiers } = users;
  return {
    outcomes,
    doubts,
    signIns,
    reservations,
    ...writeUsers(deps, context, { added, chosen, identifiers, changed }),
  };
}

/** The changed users, with hashes of the passwords that came in plain text. */
async function changedUsers(
  deps: HumanUsersDeps,
  context: SectionContext,
  updates: readonly UserUpdate[],
): Promise<ChangedUser[]> {
  const given = await withHashes(
    deps,
    context,
    updates.map(({ known, input, takesPassword }) => {
      const { password: _, ...others } = input;
      const taken = takesPassword ? input : others;
      return { input: taken, added: newAccount(deps, context, { ...taken, id: known.user.id }) };
    }),
  );
  return updates.map((update, index) => updatedUser(update, given[index] ?? {}, context));
}
