import { requireAuthority } from '#src/access/authority/index.js';
import type { Account } from '#src/accounts/index.js';
import { foldCase } from '#src/directory/index.js';
import type { NewUser } from '#src/people/users/index.js';
import { RecordFailure } from '../section/record-failure.js';
import { otherContent } from '../shared/other-content.js';
import { admitUser, requirePolicy } from './admit-user.js';
import { isFromSource } from './differences/imported-credentials.js';
import { userDifferences } from './differences/user-differences.js';
import { accountAfter, changesSignIn, type UserUpdate, updateOf } from './differences/user-update.js';
import { newAccount } from './new-account.js';
import type { HumanUserInput } from './read/human-user-input.js';
import type { UsersSurvey } from './users-survey.js';

/** What an import does with a record. `keptCredentials`: those of a stored user that an update does not replace. */
export type Decision =
  | { readonly kind: 'created'; readonly account: NewUser }
  | {
      readonly kind: 'skipped';
      readonly account: Account;
      readonly keptCredentials?: UserUpdate['keptCredentials'];
    }
  | {
      readonly kind: 'updated';
      readonly account: Account;
      readonly keptCredentials: UserUpdate['keptCredentials'];
      readonly update: UserUpdate;
    };

/**
 * Decides what an import does with a record: it adds a user, skips the record, or updates the stored user.
 * @throws RecordFailure, for instance if the stored user has other content
 * @throws AppError of the directory's rules
 */
export async function decideUser(survey: UsersSurvey, input: HumanUserInput): Promise<Decision> {
  const known = survey.users.find(input);
  if (known === undefined) return { kind: 'created', account: admitUser(survey, input) };
  const isUpdated = survey.context.update && (await isMeant(survey, known, input));
  return isUpdated ? decideUpdate(survey, known, input) : requireSame(survey, known, input);
}

/** Whether a record is certainly about the user that it found. A userName alone may be that of somebody who registered here. */
async function isMeant(
  { deps, users }: UsersSurvey,
  known: Account,
  { id }: HumanUserInput,
): Promise<boolean> {
  return id !== undefined || users.isDecided(known) || isFromSource(deps, known);
}

/** Skips a record whose user has the same content. @throws RecordFailure if the content differs */
function requireSame({ deps, rules }: UsersSurvey, known: Account, input: HumanUserInput): Decision {
  const names = userDifferences(deps, { known, input, registered: rules?.extensionSchemas });
  if (names.length === 0) return { kind: 'skipped', account: known };
  throw input.id === undefined ? new RecordFailure('NAME-TAKEN') : otherContent(names);
}

/** Decides what a stored user takes over from a record. */
async function decideUpdate(survey: UsersSurvey, known: Account, input: HumanUserInput): Promise<Decision> {
  const { deps, context, rules, users } = survey;
  const { statedAttributes: stated } = context;
  const update = await updateOf(deps, { known, input, rules, stated });
  const { keptCredentials } = update;
  if (update.names.length === 0) return { kind: 'skipped', account: known, keptCredentials };
  if (users.isDecided(known)) throw otherContent(update.names);
  const { user } = known;
  const isRenamed = foldCase(user.userName) !== foldCase(update.profile.userName);
  if (isRenamed && users.hasName(update.profile.userName)) throw new RecordFailure('NAME-TAKEN');
  if (update.takesPassword) requirePolicy(survey, input);
  const purpose = changesSignIn(update) ? 'credentials' : 'change';
  if (context.isConfined || purpose === 'credentials') {
    const { editor, orgId } = context;
    await requireAuthority(deps, { callerId: editor.userId, orgId, userId: user.id, purpose });
  }
  if (user.active && !update.profile.active) {
    await deps.ableOwners.requireOthers(user.id, users.deactivated, context.editor);
    users.deactivated.add(user.id);
  }
  users.takeValues(update.profile, { before: user, registered: rules?.extensionSchemas });
  const account = accountAfter(update, newAccount(deps, context, { ...input, id: user.id }));
  users.replace(known, account);
  return { kind: 'updated', account, keptCredentials, update };
}
