import { relyingPartyOf } from '#src/authentication/passkeys/index.js';
import { allowedFirstFactors, type Organization } from '#src/directory/index.js';
import { asksForProof } from '../http/prove-address.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What a person who registers will sign in with. A passkey is made in the sign-in that follows. */
export type RegistrationWay = 'password' | 'passkey';

/** Returns with what people may register themselves in an organization. Undefined if nobody may. */
export function registrationWay(
  { clock, config, mailer }: Pick<LoginNeeds, 'clock' | 'config' | 'mailer'>,
  organization: Organization | undefined,
): RegistrationWay | undefined {
  // Nobody could prove the address without mail.
  const canProve = mailer !== undefined || !asksForProof(organization);
  if (organization?.login.selfRegistration !== true || !canProve) return undefined;
  const first = allowedFirstFactors(organization.signInPolicy, clock.now());
  if (first.includes('password')) return 'password';
  return first.includes('passkey') && relyingPartyOf(config) !== undefined ? 'passkey' : undefined;
}
