import type { AbleOwners } from '#src/access/memberships/index.js';
import type { TotpCredential } from '#src/accounts/index.js';
import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { codeSubject } from '../attempt-subjects.js';
import type { LoginAttempts } from '../login-attempts.store.js';
import type { FactorGuard } from '../proofs/index.js';
import { type NewAccount, type WriteAccountDeps, writeAccount } from '../write-account.js';

interface ChangeTotpDeps extends WriteAccountDeps {
  readonly codeAttempts: Pick<LoginAttempts, 'forget'>;
  readonly ableOwners: Pick<AbleOwners, 'keepIfOwner'>;
}

/**
 * Gives a user a second factor, or removes it if undefined. If there is nothing to remove, nothing is written. The
 * change ends every session and every token of the user, like a new password. Wrong codes of the former factor no
 * longer count.
 * @throws AppError `directory.userNotFound`, `directory.changing`: also if the user has a second factor already, because
 * only its removal asks for a code
 * @throws AppError `directory.lastAbleOwner` for the removal of a factor without which no owner could sign in, and the error of `guard`
 */
export async function changeTotp(
  deps: ChangeTotpDeps,
  {
    totp,
    guard,
    ...target
  }: Target & {
    readonly totp: TotpCredential | undefined;
    readonly guard?: FactorGuard;
    /** A user who is added together with the second factor. */
    readonly newAccount?: NewAccount | undefined;
  },
): Promise<void> {
  const keepAble =
    totp === undefined ? await deps.ableOwners.keepIfOwner(target.id, target.editor) : undefined;
  await writeAccount(deps, target, (current) => {
    if (totp === undefined && current.totp === undefined) return undefined;
    if (totp !== undefined && current.totp !== undefined) {
      const detail = 'Another request has set up a second factor of the user meanwhile';
      throw new AppError(directoryErrors.changing, { detail });
    }
    if (totp === undefined) {
      const { totp: _removed, ...left } = current;
      guard?.(current, left);
    }
    return {
      happened: totp === undefined ? 'user.human.mfa.otp.removed' : 'user.human.mfa.otp.added',
      endsSignIns: true,
      async write(at, transaction) {
        if (!(await deps.accounts.setTotp(target.orgId, { ...at, totp }, transaction))) return false;
        await keepAble?.(transaction);
        return true;
      },
    };
  });
  await deps.codeAttempts.forget(codeSubject(target.id));
}
