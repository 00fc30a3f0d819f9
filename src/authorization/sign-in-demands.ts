import type { SignInDemands } from '#src/authentication/proofs/index.js';
import type { Application } from '#src/clients/applications/index.js';
import { acrValues } from '#src/directory/index.js';
import type { AuthorizationRequest } from './authorization-request.js';

/**
 * Returns what a request demands of the sign-in that answers it. With `prompt=login` and `prompt=create` only proofs after the request
 * count. With `max_age`, only proofs of so many seconds before count (OpenID Connect Core section 3.1.2.1), and those of the session that
 * goes on with the request if they are later than the request. The settings of the application demand a level of every sign-in to it.
 * @param at `application` may have been removed since the request arrived
 */
export function signInDemands(
  { claims: { acrs } = {}, acrValues: preferred, prompts, maxAge, created, sessionId }: AuthorizationRequest,
  { now, application }: { readonly now: Date; readonly application: Pick<Application, 'acr'> | undefined },
): SignInDemands {
  const arrived = created.getTime();
  const isAnew = prompts.includes('login') || prompts.includes('create');
  const recent = maxAge === undefined ? undefined : now.getTime() - maxAge * 1000;
  const oldest = recent !== undefined && sessionId !== undefined ? Math.min(arrived, recent) : recent;
  return {
    essential: acrs && acrValues.filter((level) => acrs.includes(level)),
    ...(application?.acr !== undefined && { least: application.acr }),
    preferred,
    since: isAnew ? arrived : oldest,
  };
}
