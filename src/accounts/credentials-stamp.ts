import type { Account } from './account.js';

/** The credentials of an account that a sign-in compares. */
type StampedCredentials = Pick<Account, 'password' | 'totp' | 'passkeys'>;

/**
 * Returns a text that changes with every credential of the person: a new or removed password, second factor or passkey. A sign-in that has begun
 * keeps it, and is void once it differs, so that nobody goes on with a proof of a former credential. It is no secret. Recovery codes are
 * left out: a step that asks for one compares it with those of that moment.
 */
export function credentialsStamp({ password, totp, passkeys }: StampedCredentials): string {
  return [password?.changed, totp?.enrolled, passkeys?.changed]
    .map((time) => time?.getTime() ?? '')
    .join(' ');
}
