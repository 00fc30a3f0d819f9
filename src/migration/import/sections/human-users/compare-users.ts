import type { Account } from '#src/directory/sign-in/account.js';
import { givenContent, isTouchedSince, storedContent } from '../differences/compared-user.js';
import { otherContent } from '../differences/other-content.js';
import { userDifferences } from '../differences/user-differences.js';
import { differingDates } from '../imported-dates.js';
import { failedOutcome } from '../record-failure.js';
import type { Comparison, Outcome, Reservation, SectionContext, SectionPlan } from '../section.js';
import { admitUser } from './admit-user.js';
import type { HumanUserInput } from './human-user-input.js';
import { lookUpToCompare } from './look-up-users.js';
import { isRead, readPart } from './read-part.js';
import { reservedNamesOf } from './reserved-names-of.js';
import type { HumanUsersDeps, UsersPart } from './users-part.js';

/**
 * Compares the records of a part with the stored users, for a verification. It neither writes nor hashes a password.
 * @param context with `compared`
 */
export async function compareUsers(
  deps: HumanUsersDeps,
  records: readonly unknown[],
  context: SectionContext & { readonly compared: NonNullable<SectionContext['compared']> },
): Promise<SectionPlan> {
  const { rules, inputs } = await readPart(deps, records, context);
  const users = await lookUpToCompare(deps, { context, rules, inputs: inputs.filter(isRead) });
  const part = { deps, context, rules, users };
  const reservations: Reservation[] = [];
  const outcomes: Outcome[] = [];
  for (const [record, input] of inputs.entries()) {
    if (!isRead(input)) {
      outcomes.push(input);
      continue;
    }
    const key = keyOf(input);
    context.compared(record, { key, given: givenContent(input, context.now) });
    try {
      const account = users.find(input) ?? admitUser(part, input);
      // A record that is twice in the file and not in the service is missing twice.
      if (users.isAdded(account)) {
        outcomes.push({ kind: 'created', id: account.user.id });
        reservations.push({ record, names: reservedNamesOf(context, account, 'created') });
        continue;
      }
      const { names, comparison } = await compareUser(part, account, input);
      context.compared(record, comparison);
      if (names.length > 0) throw otherContent(names);
      outcomes.push({ kind: 'skipped', id: account.user.id });
    } catch (error) {
      outcomes.push(failedOutcome(error, key));
    }
  }
  return { outcomes, reservations };
}

function keyOf({ id, profile }: HumanUserInput): string {
  return id ?? profile.userName;
}

/**
 * Compares a record with the stored user. A password in plain text is not compared: a file could try as many of them as it has records.
 * @returns `names`: the attributes that differ
 */
async function compareUser(
  { deps, context: { now }, rules }: UsersPart,
  known: Account,
  given: HumanUserInput,
): Promise<{ readonly names: readonly string[]; readonly comparison: Comparison }> {
  const { password: _password, ...input } = given;
  const names = await userDifferences(deps, { known, input, registered: rules?.extensionSchemas });
  names.push(...differingDates(known.user, input.dates, now));
  const isTouched = isTouchedSince(known, names);
  const comparison = {
    key: keyOf(input),
    given: givenContent(input, now),
    stored: storedContent(deps, { known, input, isTouched }, now),
    storedKey: known.user.id,
  };
  return { names: isTouched ? [] : names, comparison };
}
