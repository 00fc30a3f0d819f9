import type { Account } from '#src/accounts/index.js';
import { isSameJson } from '../../../digest/record-digest.js';
import { failedOutcome } from '../section/record-failure.js';
import type {
  Comparison,
  DoubtfulValue,
  Outcome,
  Reservation,
  SectionContext,
  SectionPlan,
} from '../section/section.js';
import { differingDates } from '../shared/imported-dates.js';
import { otherContent } from '../shared/other-content.js';
import { admitUser } from './admit-user.js';
import { givenContent, isTouchedSince, storedContent } from './differences/compared-user.js';
import { userDifferences } from './differences/user-differences.js';
import { lookUpToCompare } from './look-up-users.js';
import type { HumanUserInput } from './read/human-user-input.js';
import { isRead, readHumanUsers } from './read/read-human-users.js';
import { reservedNamesOf } from './reserved-names-of.js';
import type { HumanUsersDeps, UsersSurvey } from './users-survey.js';

/**
 * Compares the records of a part with the stored users, for a verification. It neither writes nor hashes a password.
 * @param context with `compared`
 */
export async function compareUsers(
  deps: HumanUsersDeps,
  records: readonly unknown[],
  context: SectionContext & { readonly compared: NonNullable<SectionContext['compared']> },
): Promise<SectionPlan> {
  const { rules, inputs } = await readHumanUsers(deps, records, context);
  const users = await lookUpToCompare(deps, { context, rules, inputs: inputs.filter(isRead) });
  const survey = { deps, context, rules, users };
  const reservations: Reservation[] = [];
  const outcomes: Outcome[] = [];
  const doubts: DoubtfulValue[] = [];
  for (const [record, input] of inputs.entries()) {
    if (!isRead(input)) {
      outcomes.push(input);
      continue;
    }
    const key = input.id ?? input.profile.userName;
    const given = givenContent(input, context.now);
    context.compared(record, { key, given });
    try {
      const account = users.find(input) ?? admitUser(survey, input);
      // A record that is twice in the file and not in the service is missing twice.
      if (users.isAdded(account)) {
        outcomes.push({ kind: 'created', id: account.user.id });
        reservations.push({ record, names: reservedNamesOf(context, account, 'created') });
        continue;
      }
      const { names, ...comparison } = compareUser(survey, account, { input, given });
      context.compared(record, { key, given, storedKey: account.user.id, ...comparison });
      if (names.length > 0) throw otherContent(names);
      if (input.dropped) doubts.push({ record, path: `user.${input.dropped}` });
      outcomes.push({ kind: 'skipped', id: account.user.id });
    } catch (error) {
      outcomes.push(failedOutcome(error, key));
    }
  }
  return { outcomes, doubts, reservations };
}

/**
 * Compares a record with the stored user.
 * @param of `given`: what a digest has of the record
 * @returns `stored` and `isSame` of the comparison. `names`: the attributes that differ
 */
function compareUser(
  { deps, context: { now }, rules }: UsersSurvey,
  known: Account,
  { input, given }: { readonly input: HumanUserInput; readonly given: object },
): Pick<Comparison, 'stored' | 'isSame'> & { readonly names: readonly string[] } {
  const stored = storedContent(deps, { known, input, isTouched: false }, now);
  // Most records are the same. To find out costs less than to look for names.
  if (isSameJson(given, stored)) return { names: [], stored, isSame: true };
  const registered = rules?.extensionSchemas;
  const names = userDifferences(deps, { known, input, registered });
  names.push(...differingDates(known.user, input.dates, now));
  if (!isTouchedSince(known, names)) return { names, stored };
  return { names: [], stored: storedContent(deps, { known, input, isTouched: true }, now) };
}
