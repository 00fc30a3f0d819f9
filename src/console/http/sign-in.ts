import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { consoleCallbackPath, consoleClientId } from '#src/clients/applications/index.js';
import { adminScope } from '#src/directory/index.js';
import { rememberConfirmation } from '#src/http/auth/confirmation.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { newSecret } from '#src/platform/ids.js';
import { rememberSignIn } from './console-session.js';
import type { ConsoleCookieDeps } from './sealed-cookie.js';
import type { Me } from './visit.js';

/** The longest path that fits into the cookie beside everything else. */
const maxTo = 1_500;

/** A person who is signed in and must prove again who it is. */
export interface ProofAgain {
  readonly me: Pick<Me, 'userId' | 'userName'>;
  /** What the person is about to do, as a sentence. */
  readonly act: string | undefined;
  /** The page to which the person goes without a proof. */
  readonly cancelTo?: string;
}

type SignInDeps = ConsoleCookieDeps & Parameters<typeof rememberConfirmation>[0];

/** The path, if it is so short that it fits into the cookie as well. */
function shortPath(path = '/console'): string {
  return path.length > 300 ? '/console' : path;
}

/**
 * Sends the browser to the authorization endpoint, as any client does.
 * @param asked `to`: the page to which the sign-in leads back. `again`: the person, who must sign in even with a session. `userId`: the only
 * person who may sign in (OpenID Connect Core section 5.5.1)
 */
export function beginSignIn(
  deps: SignInDeps,
  reply: FastifyReply,
  asked: { to: string; again?: ProofAgain; selectAccount?: boolean; userId?: string },
): FastifyReply {
  const { to, again, selectAccount = false, userId = again?.me.userId } = asked;
  const { baseUrl } = deps.config;
  const begun = {
    state: newSecret(),
    codeVerifier: newSecret(),
    to: to.length > maxTo ? '/console' : to,
    ...(again && { userId: again.me.userId, cancelTo: shortPath(again.cancelTo) }),
  };
  rememberSignIn(deps, reply, begun);
  if (again?.act !== undefined) {
    const { state } = begun;
    rememberConfirmation(deps, reply, { state, userId: again.me.userId, act: again.act });
  }
  const query = new URLSearchParams({
    client_id: consoleClientId,
    redirect_uri: `${baseUrl}${consoleCallbackPath}`,
    response_type: 'code',
    scope: `openid ${adminScope}`,
    state: begun.state,
    code_challenge: createHash('sha256').update(begun.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(again && { prompt: 'login', login_hint: again.me.userName }),
    ...(selectAccount && { prompt: 'select_account' }),
    ...(userId !== undefined && { claims: JSON.stringify({ id_token: { sub: { value: userId } } }) }),
  });
  return withoutTraces(reply).redirect(`${baseUrl}/oauth/v2/authorize?${query}`, 303);
}
