import type { Target } from '../write-step.js';
import type { TotpCredential } from './totp.js';
import { type WriteAccountDeps, writeAccount } from './write-account.js';

/**
 * Gives a user a second factor, or removes it if undefined. If there is nothing to remove, nothing is written.
 * @throws AppError `directory.userNotFound`, `directory.changing`
 */
export function changeTotp(
  deps: WriteAccountDeps,
  { totp, ...target }: Target & { readonly totp: TotpCredential | undefined },
): Promise<void> {
  return writeAccount(deps, target, (current) => {
    if (totp === undefined && current.totp === undefined) return undefined;
    return {
      happened: totp === undefined ? 'user.human.mfa.otp.removed' : 'user.human.mfa.otp.added',
      write: (at, transaction) => deps.accounts.setTotp(target.orgId, { ...at, totp }, transaction),
    };
  });
}
