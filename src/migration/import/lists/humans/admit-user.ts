import { requireGoodPassword } from '#src/accounts/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { NewUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { RecordFailure } from '../section/record-failure.js';
import { newAccount } from './new-account.js';
import { type HumanUserInput, requireComplete } from './read/human-user-input.js';
import type { UsersSurvey } from './users-survey.js';

/**
 * Returns the user that a record adds. Later records of the part find this user.
 * @throws RecordFailure if another user has the userName or a value that must be unique, and AppError of the directory's rules
 */
export function admitUser(survey: UsersSurvey, input: HumanUserInput): NewUser {
  const { deps, context, rules, users } = survey;
  if (users.hasName(input.profile.userName)) throw new RecordFailure('NAME-TAKEN');
  if (context.update) requireComplete(input, context, rules);
  requirePolicy(survey, input);
  const account = newAccount(deps, context, input);
  users.takeValues(account.user, { registered: rules?.extensionSchemas });
  users.add(account);
  return account;
}

/** Requires a password in plain text to be as good as the organization demands. @throws AppError */
export function requirePolicy(
  { context, rules }: Pick<UsersSurvey, 'context' | 'rules'>,
  { password }: Pick<HumanUserInput, 'password'>,
): void {
  if (password === undefined) return;
  if (rules !== undefined) {
    requireGoodPassword(password, rules.passwordPolicy);
    return;
  }
  // A verification also reads the people of an organization that is not there.
  if (context.compared === undefined) throw new AppError(directoryErrors.organizationNotFound);
}
