import { passwordSubject } from './attempt-subjects.js';
import type { LoginAttempts } from './login-attempts.store.js';

/** Whether the account has so many wrong passwords that it is locked for a while. It counts as no attempt. */
export async function isPasswordLocked(
  {
    loginAttempts,
    config,
  }: {
    readonly loginAttempts: Pick<LoginAttempts, 'standing'>;
    readonly config: { readonly loginMaxFailures: number };
  },
  userId: string,
): Promise<boolean> {
  const { lockedMs } = await loginAttempts.standing(passwordSubject(userId), config.loginMaxFailures);
  return lockedMs > 0;
}
