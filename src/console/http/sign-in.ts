import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Container } from '#src/container.js';
import { adminScope } from '#src/directory/applications/administration.js';
import { consoleCallbackPath, consoleClientId } from '#src/directory/applications/console-application.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { newSecret } from '#src/platform/ids.js';
import { type ConsoleSession, rememberSignIn, userIdOf } from './console-session.js';

type Deps = Pick<Container, 'config' | 'clock' | 'consoleSealer' | 'consoleDrafts'>;

/** Fields that a draft need not keep. */
const withoutToken = ({ csrf: _csrf, ...fields }: Record<string, string | string[]>) => fields;

/**
 * Leads the browser to the sign-in, and back to the page that it asked for. A form waits as a draft, and the person sends it
 * again afterwards.
 * @param options `isFresh`: whether the person must sign in even with a session. `againAt`: the page with the form, if nothing that it
 * holds may be kept. The person fills it in again. `session`: that of the request, which may have ended since
 * @throws AppError `console.draftsFull`
 */
export async function askToSignIn(
  deps: Deps,
  { request, reply }: HttpExchange,
  {
    againAt,
    session,
    ...options
  }: { isFresh?: boolean; againAt?: string | undefined; session: ConsoleSession | undefined },
): Promise<FastifyReply> {
  const { url, method } = request;
  const page = method === 'GET' ? url : againAt;
  if (page !== undefined) return beginSignIn(deps, reply, { to: page, ...options });
  const fields = withoutToken((request.body ?? {}) as Record<string, string | string[]>);
  const userId = session && userIdOf(session);
  const draft = await deps.consoleDrafts.put({ action: url, fields }, { userId });
  return beginSignIn(deps, reply, { to: `/console/resume?draft=${draft}`, ...options });
}

/** The longest path that fits into the cookie beside everything else. */
const maxTo = 1_500;

/** Sends the browser to the authorization endpoint, as any client does. */
export function beginSignIn(
  deps: Deps,
  reply: FastifyReply,
  { to, isFresh = false, selectAccount = false }: { to: string; isFresh?: boolean; selectAccount?: boolean },
): FastifyReply {
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
  });
  return withoutTraces(reply).redirect(`${baseUrl}/oauth/v2/authorize?${query}`, 303);
}
