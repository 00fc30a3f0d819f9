import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { consoleCallbackPath, consoleClientId } from '#src/clients/applications/index.js';
import { adminScope } from '#src/directory/index.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { newSecret } from '#src/platform/ids.js';
import { rememberSignIn } from './console-session.js';
import type { ConsoleCookieDeps } from './sealed-cookie.js';

/** The longest path that fits into the cookie beside everything else. */
const maxTo = 1_500;

/**
 * Sends the browser to the authorization endpoint, as any client does.
 * @param asked `to`: the page to which the sign-in leads back. `isFresh`: whether the person must sign in even with a session. `userId`: the only
 * person who may sign in (OpenID Connect Core section 5.5.1)
 */
export function beginSignIn(
  deps: ConsoleCookieDeps,
  reply: FastifyReply,
  asked: { to: string; isFresh?: boolean; selectAccount?: boolean; userId?: string },
): FastifyReply {
  const { to, isFresh = false, selectAccount = false, userId } = asked;
  const { baseUrl } = deps.config;
  const begun = {
    state: newSecret(),
    codeVerifier: newSecret(),
    to: to.length > maxTo ? '/console' : to,
  };
  rememberSignIn(deps, reply, begun);
  const query = new URLSearchParams({
    client_id: consoleClientId,
    redirect_uri: `${baseUrl}${consoleCallbackPath}`,
    response_type: 'code',
    scope: `openid ${adminScope}`,
    state: begun.state,
    code_challenge: createHash('sha256').update(begun.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(isFresh && { prompt: 'login' }),
    ...(selectAccount && { prompt: 'select_account' }),
    ...(userId !== undefined && { claims: JSON.stringify({ id_token: { sub: { value: userId } } }) }),
  });
  return withoutTraces(reply).redirect(`${baseUrl}/oauth/v2/authorize?${query}`, 303);
}
