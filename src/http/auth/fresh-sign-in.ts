import type { FastifyRequest } from 'fastify';
import { type FreshOperation, freshnessOf } from '#src/access/authority/index.js';
import type { Config } from '#src/config.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { Principal } from './authenticate.js';

/** The name of an operation that needs a fresh sign-in, always or in a case. The one list is `access/authority/fresh-acts.ts`. */
export type GuardedOperation = FreshOperation;

export interface FreshSignInDeps {
  readonly clock: Clock;
  readonly config: Pick<Config, 'freshSignInSeconds'>;
}

/** When a caller signed in, and how long that counts. */
type SignedInCaller = Pick<Principal, 'signedInAt' | 'freshSignInSeconds'>;

/**
 * Whether the caller may do what a stolen session must not do. A person has signed in within the last
 * `MUSTER_FRESH_SIGN_IN_SECONDS`, or the shorter time of the own organization, with the second factor if there is one. A service user always may: it proves itself with each
 * token.
 */
export function isFreshlySignedIn({ clock, config }: FreshSignInDeps, caller: SignedInCaller): boolean {
  const { signedInAt } = caller;
  return signedInAt === undefined || unixSeconds(clock.now()) - signedInAt <= freshSecondsOf(config, caller);
}

/** The organization of the person may make the time of the instance shorter. */
function freshSecondsOf(
  { freshSignInSeconds: ofInstance }: FreshSignInDeps['config'],
  { freshSignInSeconds: ofOrganization = ofInstance }: SignedInCaller,
): number {
  return Math.min(ofInstance, ofOrganization);
}

/** The error of an act that needs a fresh sign-in. The response has the challenge of RFC 9470 section 3. */
export function signInTooOld(config: FreshSignInDeps['config'], caller: SignedInCaller): AppError {
  const seconds = freshSecondsOf(config, caller);
  return new AppError(tokenErrors.signInTooOld, {
    detail: `This step needs a person who signed in within the last ${seconds} seconds; sign in again`,
    challenge: `Bearer error="insufficient_user_authentication", max_age="${seconds}"`,
  });
}

/**
 * Requires a fresh sign-in if the operation of the request always needs one. The hook of each scope with operations of administrators
 * calls it.
 * @throws AppError `tokens.signInTooOld`
 */
export function requireFreshForRoute(
  deps: FreshSignInDeps,
  request: FastifyRequest,
  caller: SignedInCaller,
): void {
  if (isFreshlySignedIn(deps, caller)) return;
  if (freshnessOf(actOf(request)) === 'always') throw signInTooOld(deps.config, caller);
}

/**
 * Requires a fresh sign-in in the case that `fresh-acts.ts` names for the operation. The route calls it in that case.
 * @throws AppError `tokens.signInTooOld`
 * @throws Error if the list has no case for the operation
 */
export function requireFreshFor(
  deps: FreshSignInDeps,
  request: FastifyRequest,
  caller: SignedInCaller,
): void {
  const act = actOf(request);
  if (typeof freshnessOf(act) === 'string')
    throw new Error(`fresh-acts.ts names no case for ${act.operationId}`);
  if (!isFreshlySignedIn(deps, caller)) throw signInTooOld(deps.config, caller);
}

function actOf({ routeOptions: { schema }, method }: FastifyRequest) {
  return { operationId: schema?.operationId, method };
}
