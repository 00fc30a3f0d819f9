import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { ProviderFailure } from '#src/connections/provider/index.js';
import {
  type EndBySamlDeps,
  endBySaml,
  servingConnection,
  signedOutUri,
} from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo, signedOutPage } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { type SignOutDeps, signOutOfIdentity } from '#src/sessions/sign-out.js';
import { loginErrors } from '../http/errors.js';
import type { LoginNeeds } from '../needs/needs.js';

type Deps = Omit<EndBySamlDeps, 'endSignInsOf'> &
  SignOutDeps &
  Pick<LoginNeeds, 'caches' | 'config' | 'logger'>;

const path = '/login/connections/:orgId/:connectionId/saml/logout';

/** The largest form with a message, in bytes: base64 of 32 KiB, with room for line breaks and for the encoding of forms. */
const formBytes = 65_536;
/** The longest RelayState that is returned, in characters. SAML Bindings section 3.4.3 allows 80 bytes. */
const longestRelayState = 1_000;

/**
 * The single logout service of a connection by SAML. A logout request of the provider ends the sessions that it names. An answer to a request of
 * this service only brings the browser back: the session here has ended before, so the answer is not read.
 */
export function samlLogoutRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    const config = { heavy: 'sign-in' } as const;
    app.get(path, { config }, (request, reply) => {
      const [, query = ''] = request.url.split('?', 2);
      return receive(deps, { request, reply }, { given: request.query, binding: 'redirect', query });
    });
    app.post(path, { bodyLimit: formBytes, config }, (request, reply) =>
      receive(deps, { request, reply }, { given: request.body, binding: 'post', query: '' }),
    );
  };
}

async function receive(
  deps: Deps,
  { request, reply }: HttpExchange,
  { given, binding, query }: { given: unknown; binding: 'redirect' | 'post'; query: string },
): Promise<FastifyReply> {
  const { orgId, connectionId } = request.params as { orgId: string; connectionId: string };
  const stands = await organizationStands(deps, orgId);
  const connection = stands ? await servingConnection(deps, { orgId, connectionId }) : undefined;
  if (connection?.protocol !== 'saml') throw new AppError(loginErrors.flowEnded);
  const relayState = messageIn(given, 'RelayState');
  const asked = messageIn(given, 'SAMLRequest');
  const has = (name: string) => Object.hasOwn((given ?? {}) as object, name);
  if (!has('SAMLRequest') && !has('SAMLResponse')) throw new AppError(loginErrors.flowEnded);
  if (!has('SAMLRequest')) {
    // The form of another site comes without the cookie (SameSite=Lax). The redirect after it has one.
    const state = new URLSearchParams({ state: relayState });
    return goTo(reply, `${signedOutUri(deps.config, connection)}?${state}`);
  }
  const endSignInsOf = (of: Parameters<typeof signOutOfIdentity>[1]) => signOutOfIdentity(deps, of);
  try {
    const message = binding === 'redirect' ? query : asked;
    const returned = relayState.length > longestRelayState ? '' : relayState;
    const departure = await endBySaml({ ...deps, endSignInsOf }, connection, {
      ...{ binding, message, relayState: returned },
    });
    return goTo(reply, departure?.address ?? signedOutPage(deps.config));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    deps.logger.info({ orgId, connectionId, problem: error.problem }, 'a logout request was refused');
    throw new AppError(loginErrors.flowEnded);
  }
}

/** A parameter, in its whole length. '' if it is absent or repeated. */
function messageIn(given: unknown, name: string): string {
  const fields = (given ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}
