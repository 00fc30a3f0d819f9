import { type Account, matchingStep, unsealTotpSecret } from '#src/accounts/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import { codeSubject } from '../attempt-subjects.js';
import { type CheckDeps, knownSince } from '../check-password.js';
import { type CheckOutcome, checkWithinLimits } from '../check-within-limits.js';
import type { LoginAttempts } from '../login-attempts.store.js';
import type { Proof } from '../proofs/index.js';
import { type CheckOrigin, type EarlierSignIn, recordCheck } from '../record-check.js';
import { recoveryCodeHash } from './recovery-codes.js';

type CheckSecondFactorDeps = Omit<CheckDeps, 'passwords' | 'caches'> & {
  readonly totpSealer: Sealer;
  readonly codeAttempts: LoginAttempts;
};

/** The outcome of a check, with what a right code proves. */
type SecondFactorOutcome =
  | { readonly kind: 'right'; readonly proof: Proof }
  | Exclude<CheckOutcome, { readonly kind: 'right' }>;

/** A code that a user typed. */
interface TypedCode extends CheckOrigin {
  readonly account: Account;
  /** A one-time code or a recovery code, as the user typed it. */
  readonly code: string;
  /** The latest sign-in of the user at this browser, if there was one. */
  readonly earlier?: EarlierSignIn | undefined;
}

/**
 * Checks a one-time code of the user's second factor (RFC 6238), or a recovery code. Each code is accepted once, even if several
 * requests send it at the same time. Wrong codes of both kinds count together. They lock the user for longer and longer, until a right
 * one. They lock every browser of the user, because a guesser of codes has the password. Failures at its address do not lock a browser
 * of the user.
 */
export async function checkSecondFactor(
  deps: CheckSecondFactorDeps,
  proof: TypedCode,
): Promise<SecondFactorOutcome> {
  const { account, code: _code, earlier, ...from } = proof;
  const { user } = account;
  const recovery = recoveryCodeHash(user.id, proof.code);
  const address = knownSince(account, earlier) ? undefined : from.address;
  const counted = { shown: codeSubject(user.id), by: deps.codeAttempts, address };
  const { outcome, last } = await checkWithinLimits(deps, counted, async () =>
    recovery === undefined
      ? takeOneTimeCode(deps, proof)
      : deps.accounts.takeRecoveryCode(user.orgId, { id: user.id, hash: recovery }),
  );
  deps.measures?.loginChecked('code', outcome.kind);
  const factor = recovery === undefined ? 'otp' : 'recovery';
  if (outcome.kind === 'right') {
    await recordCheck(deps, user, { happened: [`user.human.mfa.${factor}.check.succeeded`], from });
    return { kind: 'right', proof: { kind: recovery === undefined ? 'code' : 'recoveryCode' } };
  }
  if (outcome.kind === 'wrong') {
    const failed = `user.human.mfa.${factor}.check.failed` as const;
    const happened = last ? ([failed, 'user.locked'] as const) : [failed];
    await recordCheck(deps, user, { happened, from, reason: 'codeWrong' });
  }
  return outcome;
}

async function takeOneTimeCode(
  { totpSealer, clock, accounts }: CheckSecondFactorDeps,
  { account: { user, totp }, code }: TypedCode,
): Promise<boolean> {
  const secret = totp && unsealTotpSecret(totpSealer, user.id, totp.sealed);
  const step = secret && matchingStep(secret, code, clock.now());
  if (totp === undefined || step === undefined) return false;
  return accounts.takeTotpStep(user.orgId, { id: user.id, sealed: totp.sealed, step });
}
