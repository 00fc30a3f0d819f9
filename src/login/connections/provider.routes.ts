import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { ProviderFailure } from '#src/connections/provider/index.js';
import {
  type EndByProviderDeps,
  endByProvider,
  finishLogout,
  servingConnection,
} from '#src/connections/sign-in/index.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { goTo, signedOutPage } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import { loginToAccount, toAccountPlace } from '../http/to-account.js';
import { readVisit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type EndSignInsDeps, endingSignIns } from './end-sign-ins.js';
import { askUnlessKnown } from './leading.js';
import { leaveByConnection } from './leave.js';

type Deps = Omit<EndByProviderDeps, 'endSignInsOf'> &
  EndSignInsDeps &
  Parameters<typeof leaveByConnection>[0] &
  Parameters<typeof readVisit>[0] &
  Pick<LoginNeeds, 'caches' | 'logger' | 'logoutReturns'>;

const path = '/login/connections/:orgId/:connectionId';

/** What a provider begins: a sign-in here, and the end of one; and the way back from an end there. */
export function providerRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(`${path}/start`, (request, reply) => start(deps, { request, reply }, request.query));
    app.post(`${path}/start`, (request, reply) => start(deps, { request, reply }, request.body));
    app.get(`${path}/signed-out`, (request, reply) => signedOut(deps, { request, reply }));
    app.post(`${path}/logout`, (request, reply) => logout(deps, { request, reply }));
  };
}

/** The longest `login_hint`, in characters. */
const longestHint = 400;

/**
 * A sign-in that the provider, or a page of it, begins (OpenID Connect Core section 4). It is a new request to the provider, so nobody is signed in by
 * it who is not signed in there. A browser at which the connection signed nobody in last comes to the login page, where a person decides. `target_link_uri` counts only if it is a page of this service. No other address is known here.
 */
async function start(deps: Deps, exchange: HttpExchange, given: unknown): Promise<FastifyReply> {
  const { reply } = exchange;
  const connection = await connectionOf(deps, exchange);
  if (connection === undefined || formText(given, 'iss') !== connection.provider.issuer)
    return goTo(reply, loginToAccount(deps));
  const visit = await readVisit(deps, exchange, '');
  const hint = formText(given, 'login_hint').trim();
  const toConsole = formText(given, 'target_link_uri') === `${deps.config.baseUrl}/console`;
  const isUsable = hint !== '' && hint.length <= longestHint;
  const asked = askUnlessKnown(deps, exchange, connection, toAccountPlace(!toConsole));
  if (asked !== undefined) return asked;
  return leaveByConnection(deps, reply, {
    ...{ visit, connection, toAccount: !toConsole },
    ...(isUsable && { loginHint: hint }),
  });
}

/** Ends sessions by a logout token (OpenID Connect Back-Channel Logout section 2.5). It reads no cookie. */
async function logout(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  reply.header('cache-control', 'no-store');
  const connection = await connectionOf(deps, exchange);
  const token = formText(request.body, 'logout_token');
  const refused = (description: string) =>
    reply.code(400).send({ error: 'invalid_request', error_description: description });
  if (connection?.protocol !== 'oidc' || token === '')
    return refused('There is no such connection, or no logout_token');
  const endSignInsOf = endingSignIns(deps, connection);
  try {
    await endByProvider({ ...deps, endSignInsOf }, { connection, token });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { id: connectionId, orgId } = connection;
    deps.logger.info({ orgId, connectionId, problem: error.problem }, 'a logout token was refused');
    await deps.recordRefusal(connection, { reason: error.problem, detail: error.message });
    if (error.problem === 'unreachable')
      return reply.code(503).send({
        error: 'temporarily_unavailable',
        // Anybody may ask. Why a host cannot be read is for the administrators of the connection.
        error_description: 'What the provider publishes cannot be read now',
      });
    return refused(error.message);
  }
  return reply.code(200).send();
}

/** Where a browser comes back that was signed out at the provider, too. Whoever comes without having left sees the page for the signed out. */
async function signedOut(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const agent = readAgent(deps, request);
  const redirectTo = await finishLogout(deps, {
    ...(request.params as { orgId: string; connectionId: string }),
    state: formText(request.query, 'state'),
    isAgent: async (hash) => agent !== undefined && deps.sessions.isSameAgent(agent.hash, hash),
  });
  return withoutTraces(reply).redirect(redirectTo ?? signedOutPage(deps.config), 303);
}

async function connectionOf(deps: Pick<Deps, 'caches'>, { request }: HttpExchange) {
  const { orgId, connectionId } = request.params as { orgId: string; connectionId: string };
  if (!(await organizationStands(deps, orgId))) return undefined;
  return servingConnection(deps, { orgId, connectionId });
}
