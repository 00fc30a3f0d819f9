import type { Sealer } from '#src/keys/sealer.js';
import type { Account } from './account.js';
import { attempt, type CheckDeps, type CheckOutcome, codeSubject } from './check-password.js';
import type { LoginAttempts } from './login-attempts.store.js';
import { type CheckOrigin, recordCheck } from './record-check.js';
import { matchingStep, unsealTotpSecret } from './totp.js';

export type CheckTotpDeps = Omit<CheckDeps, 'passwords'> & {
  readonly totpSealer: Sealer;
  readonly codeAttempts: LoginAttempts;
};

/**
 * Checks a one-time code of the user's second factor (RFC 6238). Each code is accepted once, even if several requests
 * send it at the same time. Wrong codes lock the user for longer and longer, until a right one.
 */
export async function checkTotp(
  deps: CheckTotpDeps,
  { account, code, ...from }: { account: Account; code: string } & CheckOrigin,
): Promise<CheckOutcome> {
  const { user, totp } = account;
  const counted = { shown: codeSubject(user.id), by: deps.codeAttempts, address: from.address };
  const { outcome, last } = await attempt(deps, counted, async () => {
    const secret = totp && unsealTotpSecret(deps.totpSealer, user.id, totp.sealed);
    const step = secret && matchingStep(secret, code, deps.clock.now());
    if (totp === undefined || step === undefined) return false;
    return deps.accounts.takeTotpStep(user.orgId, { id: user.id, sealed: totp.sealed, step });
  });
  deps.measures?.loginChecked('code', outcome.kind);
  if (outcome.kind === 'right') {
    await recordCheck(deps, user, { happened: ['user.human.mfa.otp.check.succeeded'], from });
  }
  if (outcome.kind === 'wrong') {
    const failed = 'user.human.mfa.otp.check.failed' as const;
    const happened = last ? ([failed, 'user.locked'] as const) : [failed];
    await recordCheck(deps, user, { happened, from, reason: 'codeWrong' });
  }
  return outcome;
}
