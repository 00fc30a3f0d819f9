import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { type WriteAccountDeps, writeAccount } from '../write-account.js';
import { newRecoveryCodes, recoveryCodeHashes } from './recovery-codes.js';

/**
 * Gives a user with a second factor new recovery codes. The former ones no longer work. Returns the codes this once. The store has only
 * their hashes.
 * @throws AppError `directory.userNotFound`, `directory.changing`: also if the second factor was removed meanwhile
 */
export async function renewRecoveryCodes(deps: WriteAccountDeps, target: Target): Promise<string[]> {
  const codes = newRecoveryCodes();
  const recovery = recoveryCodeHashes(target.id, codes);
  await writeAccount(deps, target, ({ totp }) => {
    if (totp === undefined) {
      const detail = 'Another request has removed the second factor of the user meanwhile';
      throw new AppError(directoryErrors.changing, { detail });
    }
    return {
      happened: 'user.human.mfa.recovery.added',
      write: (at, transaction) =>
        deps.accounts.setRecoveryCodes(target.orgId, { ...at, recovery }, transaction),
    };
  });
  return codes;
}
