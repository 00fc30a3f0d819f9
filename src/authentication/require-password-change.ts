import type { Target } from '#src/directory/index.js';
import { type WriteAccountDeps, writeAccount } from './write-account.js';

/**
 * Requires another password at the next login. A user without a password must set one in any case.
 * @throws AppError `directory.userNotFound`, `directory.changing`
 */
export function requirePasswordChange(deps: WriteAccountDeps, target: Target): Promise<void> {
  return writeAccount(deps, target, ({ password }) => {
    if (password === undefined || password.changeRequired) return undefined;
    return {
      happened: 'user.human.password.change.required',
      write: (at, transaction) => deps.accounts.requirePasswordChange(target.orgId, at, transaction),
    };
  });
}
