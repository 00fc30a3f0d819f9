import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';

const lifeMs = 15 * 60_000;

/**
 * Seals the secret that a person sees, until the form with its first code comes back. Nothing is stored until
 * then.
 */
export function sealEnrolment(
  { formSealer, clock }: { formSealer: Sealer; clock: Clock },
  { userId, secret }: { userId: string; secret: Buffer },
): string {
  const until = clock.now().getTime() + lifeMs;
  const text = JSON.stringify({ use: 'totp', userId, secret: secret.toString('base64'), until });
  return formSealer.seal(Buffer.from(text)).toString('base64url');
}

/** The secret that this very person saw a short time ago. */
export function unsealEnrolment(
  { formSealer, clock }: { formSealer: Sealer; clock: Clock },
  { userId, sealed }: { userId: string; sealed: string },
): Buffer | undefined {
  const plaintext = formSealer.unseal(Buffer.from(sealed, 'base64url'));
  if (plaintext === undefined) return undefined;
  const shown = JSON.parse(plaintext.toString());
  const isGood = shown.use === 'totp' && shown.userId === userId && shown.until > clock.now().getTime();
  return isGood ? Buffer.from(shown.secret, 'base64') : undefined;
}
