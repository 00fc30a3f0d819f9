import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { readAgent } from '#src/http/agent-cookie.js';
import { answerErrorPage, sendErrorPage } from '#src/http/error-page.js';
import { httpErrors } from '#src/http/errors.js';
import { withoutTraces } from '#src/http/html.js';
import { chooseLanguage } from '#src/http/language.js';
import { AppError } from '#src/platform/errors.js';
import { findApplication } from '../clients/find-application.js';
import { createReadIdTokenHint } from '../tokens/read-id-token-hint.js';
import { type AuthorizeDeps, authorize, continueAuthorization } from './authorize.js';
import { authorizeParameterNames, readAuthorizeParameters } from './authorize-parameters.js';
import { ShownError } from './errors.js';
import { sendOutcome } from './http/send-outcome.js';

const schema = {
  tags: ['oauth'],
  operationId: 'authorize',
  summary: 'Authorization endpoint (OpenID Connect Core section 3.1.2): answers with a redirect or a page',
};

/** Room for a long ID token as a hint beside everything else. */
const bodyLimit = 65_536;
/** Longer addresses are refused by servers and proxies on the way. */
const maxQuery = 12_000;

/** `/oauth/v2/authorize`, and where the login pages lead back to. */
export function authorizeRoutes(container: Container): FastifyPluginAsync {
  const { config, logger, signingKeys } = container;
  const deps: AuthorizeDeps = {
    ...container,
    findApplication: (clientId) => findApplication(container, clientId),
    readIdTokenHint: createReadIdTokenHint({ signingKeys, issuer: config.baseUrl }),
    reportFault: (error) => logger.error({ err: error }, 'authorization failed'),
  };

  return async (app) => {
    answerWithErrorPages(app);

    app.get('/oauth/v2/authorize', { schema }, async (request, reply) => {
      const parameters = readAuthorizeParameters(request.query);
      const outcome = await authorize(deps, parameters, readAgent(container, request)?.hash);
      return sendOutcome(container, { request, reply }, outcome);
    });

    /**
     * A browser sends no cookie with a post that another site makes it send (SameSite=Lax), but with the GET that
     * follows it does.
     */
    app.post(
      '/oauth/v2/authorize',
      { bodyLimit, schema: { ...schema, operationId: 'authorizePost' } },
      async (request, reply) => {
        if (!isForm(request)) throw new AppError(httpErrors.mediaTypeUnsupported);
        const query = queryOf((request.body ?? {}) as Record<string, unknown>);
        if (query.length > maxQuery) throw new AppError(httpErrors.bodyTooLarge);
        return withoutTraces(reply).redirect(`${config.baseUrl}/oauth/v2/authorize?${query}`, 303);
      },
    );

    app.get('/oauth/v2/authorize/callback', { schema: { hide: true } }, async (request, reply) => {
      const { request: id } = request.query as { request?: unknown };
      const agentHash = readAgent(container, request)?.hash;
      const outcome = await continueAuthorization(deps, typeof id === 'string' ? id : '', agentHash);
      return sendOutcome(container, { request, reply }, outcome);
    });
  };
}

function answerWithErrorPages(app: FastifyInstance): void {
  app.setErrorHandler((thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(thrown instanceof ShownError)) return answerErrorPage(thrown, request, reply);
    const { ui_locales: locales } = request.query as { ui_locales?: unknown };
    const preferred = typeof locales === 'string' ? locales.slice(0, 200).split(' ') : [];
    const language = chooseLanguage(preferred, request.headers['accept-language']);
    const detail = `${thrown.code}: ${thrown.message}`;
    return sendErrorPage(reply.code(400), { kind: 'request', language, detail });
  });
}

function isForm({ headers }: FastifyRequest): boolean {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  return mediaType.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

/** The parameters that matter, repeated ones repeated, so that the GET finds the same errors. */
function queryOf(body: Record<string, unknown>): string {
  const pairs = authorizeParameterNames.flatMap((name) =>
    [body[name] ?? []].flat().map((value): [string, string] => [name, String(value)]),
  );
  return new URLSearchParams(pairs).toString();
}
