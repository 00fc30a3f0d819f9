import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ProviderFailure } from '#src/connections/provider/index.js';
import type { SamlConnection } from '#src/connections/registry/index.js';
import {
  type EndBySamlDeps,
  endBySaml,
  servingConnection,
  signedOutUri,
} from '#src/connections/sign-in/index.js';
import { httpErrors } from '#src/http/base/errors.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { html } from '#src/http/pages/html.js';
import { goTo, signedOutPage } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../http/errors.js';
import { showVisit } from '../http/pages.js';
import { readVisit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type EndSignInsDeps, endingSignIns } from './end-sign-ins.js';
import { isKnownAt } from './leading.js';

type Deps = Omit<EndBySamlDeps, 'endSignInsOf'> &
  EndSignInsDeps &
  Parameters<typeof readVisit>[0] &
  Pick<LoginNeeds, 'addressBound' | 'caches' | 'config' | 'logger' | 'rateCounts' | 'recordRefusal'>;

const path = '/login/connections/:orgId/:connectionId/saml/logout';

/** The largest form with a message, in bytes: base64 of 32 KiB, with room for line breaks and for the encoding of forms. */
const formBytes = 65_536;
/** The longest RelayState that comes with an answer, in characters. Requests of this service have one of 43. */
const longestState = 100;

/** A message as the browser brought it. */
interface Brought {
  readonly given: unknown;
  readonly binding: 'redirect' | 'post';
  /** The query of the address. '' for a form. */
  readonly query: string;
}

/**
 * The single logout service of a connection by SAML. A logout request of the provider ends the sessions that it names. An answer to a request of
 * this service only brings the browser back: the session here has ended before, so the answer is not read.
 */
export function samlLogoutRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    const config = { heavy: 'sign-in' } as const;
    app.get(path, { config }, (request, reply) => {
      const start = request.url.indexOf('?');
      const query = start === -1 ? '' : request.url.slice(start + 1);
      return receive(deps, { request, reply }, { given: request.query, binding: 'redirect', query });
    });
    app.post(path, { bodyLimit: formBytes, config }, (request, reply) =>
      receive(deps, { request, reply }, { given: request.body, binding: 'post', query: '' }),
    );
  };
}

async function receive(deps: Deps, exchange: HttpExchange, brought: Brought): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { given } = brought;
  const { orgId, connectionId } = request.params as { orgId: string; connectionId: string };
  const stands = await organizationStands(deps, orgId);
  const connection = stands ? await servingConnection(deps, { orgId, connectionId }) : undefined;
  if (connection?.protocol !== 'saml') throw new AppError(loginErrors.flowEnded);
  const has = (name: string) => Object.hasOwn((given ?? {}) as object, name);
  if (has('SAMLRequest')) return receiveRequest(deps, exchange, { connection, brought });
  if (!has('SAMLResponse')) throw new AppError(loginErrors.flowEnded);
  // The form of another site comes without the cookie (SameSite=Lax). The redirect after it has one.
  const relayState = messageIn(given, 'RelayState');
  const state = new URLSearchParams({ state: relayState.length > longestState ? '' : relayState });
  return goTo(reply, `${signedOutUri(deps.config, connection)}?${state}`);
}

/** Anybody can send requests, so what cannot be right takes no thread from people who sign in, and each address has few tries. */
async function receiveRequest(
  deps: Deps,
  exchange: HttpExchange,
  { connection, brought }: { connection: SamlConnection; brought: Brought },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { binding, query, given } = brought;
  const { id: connectionId, orgId, provider } = connection;
  requireTriesLeft(deps, request);
  const asked = messageIn(given, 'SAMLRequest');
  if ((!provider.endsSession && provider.signOut === undefined) || !maybeSigned(brought, asked)) {
    countRefused(deps, request);
    throw new AppError(loginErrors.flowEnded);
  }
  try {
    const endSignInsOf = endingSignIns(deps, connection);
    const message = binding === 'redirect' ? query : asked;
    const relayState = messageIn(given, 'RelayState');
    const ended = await endBySaml({ ...deps, endSignInsOf }, connection, { binding, message, relayState });
    const address = ended.departure?.address;
    if (address === undefined) return goTo(reply, signedOutPage(deps.config));
    if (ended.hasEnded || isKnownAt(deps, request, connection)) return goTo(reply, address);
    return await showWayOn(deps, exchange, { connection, address });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    countRefused(deps, request);
    deps.logger.info({ orgId, connectionId, problem: error.problem }, 'a logout request was refused');
    await deps.recordRefusal(connection, { reason: error.problem, detail: error.message });
    throw new AppError(loginErrors.flowEnded);
  }
}

/** Whether the message has a signature at all, which only a thread verifies. */
function maybeSigned({ binding, query }: Brought, asked: string): boolean {
  if (binding === 'post') return Buffer.from(asked, 'base64').includes('Signature');
  const names = query.split('&').map((part) => part.split('=', 1)[0]);
  return names.includes('Signature') && names.includes('SigAlg');
}

const refusedRequests = (request: FastifyRequest) => `samlLogout:${addressOf(request)}`;

/** @throws AppError `http.rateLimited` if too many requests of the address were refused within a minute */
function requireTriesLeft({ rateCounts, config }: Deps, request: FastifyRequest): void {
  const { rateLimitRefused: limit } = config;
  if (limit === 0 || rateCounts.read(refusedRequests(request)) < limit) return;
  const detail = `More than ${limit} logout requests of this address within a minute were refused`;
  throw new AppError(httpErrors.rateLimited, { detail, retryAfterSeconds: rateCounts.secondsLeft() });
}

function countRefused({ rateCounts, addressBound, config }: Deps, request: FastifyRequest): void {
  if (config.rateLimitRefused > 0) rateCounts.add(refusedRequests(request), addressBound);
}

/**
 * Asks before the browser leaves for the provider. The owner of an organization names the address of its provider, so a signed request that
 * ended nothing here would otherwise lead any visitor anywhere.
 */
async function showWayOn(
  deps: Deps,
  exchange: HttpExchange,
  { connection, address }: { connection: SamlConnection; address: string },
): Promise<FastifyReply> {
  const visit = await readVisit(deps, exchange, '');
  const { texts: t } = visit;
  const subtitle = t.logoutGoesOn(`${connection.name} (${new URL(address).host})`);
  const content = html`<p class="buttons"><a class="button" href="${address}">${t.continue}</a></p>`;
  return showVisit(deps, exchange, { visit, title: t.logoutTitle, subtitle, content });
}

/** A parameter, in its whole length. '' if it is absent or repeated. */
function messageIn(given: unknown, name: string): string {
  const fields = (given ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}
