import type { Config } from '#src/config.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { Principal } from './authenticate.js';

export interface FreshSignInDeps {
  readonly clock: Clock;
  readonly config: Pick<Config, 'freshSignInSeconds'>;
}

/**
 * Whether the caller may do what a stolen session must not do. A person has signed in within the last
 * `MUSTER_FRESH_SIGN_IN_SECONDS`, with the second factor if there is one. A service user always may: it proves itself with each
 * token.
 */
export function isFreshlySignedIn(
  { clock, config }: FreshSignInDeps,
  { signedInAt }: Pick<Principal, 'signedInAt'>,
): boolean {
  return signedInAt === undefined || unixSeconds(clock.now()) - signedInAt <= config.freshSignInSeconds;
}

/** @throws AppError `tokens.signInTooOld`: the response has the challenge of RFC 9470 section 3 */
export function requireFreshSignIn(deps: FreshSignInDeps, caller: Pick<Principal, 'signedInAt'>): void {
  if (isFreshlySignedIn(deps, caller)) return;
  throw new AppError(tokenErrors.signInTooOld, {
    detail: `This step needs a person who signed in within the last ${deps.config.freshSignInSeconds} seconds; sign in again`,
    challenge: `Bearer error="insufficient_user_authentication", max_age="${deps.config.freshSignInSeconds}"`,
  });
}
