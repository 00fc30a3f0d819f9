import type { Account } from '#src/accounts/index.js';
import type { SignIns } from '../section/section.js';
import { type HumanUserInput, isReachable, type RulesOfUsers } from './read/human-user-input.js';

/** What lets a person sign in first after the import. The hash of a password in plain text is not made yet. */
export function signInOf(
  { user, password }: Account,
  input: Pick<HumanUserInput, 'password'>,
  organization: RulesOfUsers | undefined,
): keyof SignIns {
  if (!user.active) return 'disabled';
  if (password !== undefined || input.password !== undefined) return 'password';
  if (isReachable(user)) return 'link';
  return organization?.migrationHook ? 'hook' : 'none';
}
