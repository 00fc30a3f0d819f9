import { matchingStep, sealTotpSecret } from '#src/accounts/index.js';
import type { NewAccount } from '#src/authentication/index.js';
import { changeTotp, newRecoveryCodes, recoveryCodeHashes } from '#src/authentication/second-factor/index.js';
import type { User } from '#src/directory/index.js';
import type { LoginNeeds } from '../../needs/needs.js';

/**
 * Gives a user a second factor, if the code is one of the secret at this moment.
 * @param newAccount a user who is added together with the second factor
 * @param showsCodes whether the next page can show recovery codes. Otherwise the person gets none, and makes some on the account page
 * @returns the recovery codes, this once. Undefined for a wrong code
 * @throws the errors of {@link changeTotp}
 */
export async function enrolTotp(
  deps: Parameters<typeof changeTotp>[0] & Pick<LoginNeeds, 'clock' | 'totpSealer'>,
  enrolment: {
    user: User;
    secret: Buffer;
    code: string;
    showsCodes: boolean;
    newAccount?: NewAccount | undefined;
  },
): Promise<string[] | undefined> {
  const { user, secret, code, showsCodes, newAccount } = enrolment;
  const now = deps.clock.now();
  const step = matchingStep(secret, code, now);
  if (step === undefined) return undefined;
  const codes = showsCodes ? newRecoveryCodes() : [];
  await changeTotp(deps, {
    orgId: user.orgId,
    id: user.id,
    newAccount,
    // The code that confirmed the secret is used up. It cannot sign in.
    totp: {
      sealed: sealTotpSecret(deps.totpSealer, user.id, secret),
      lastStep: step,
      enrolled: now,
      recovery: recoveryCodeHashes(user.id, codes),
    },
    editor: { userId: user.id, service: 'account' },
  });
  return codes;
}
