import type { FastifyInstance } from 'fastify';
import { errorIdHeader, prepareErrorReply } from '#src/http/base/problem.js';
import { OAuthError, type OAuthErrorCode, oauthErrorId } from '../protocol/oauth-error.js';

/**
 * Answers every error of this scope with `{ error, error_description }` (RFC 6749 section 5.2), never cached.
 */
export function answerWithOAuthErrors(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
    done();
  });
  scope.setErrorHandler((thrown, request, reply) => {
    if (thrown instanceof OAuthError && !(thrown.status === 401 && request.shutOut)) {
      if (thrown.challenge) reply.header('www-authenticate', 'Basic realm="muster", charset="UTF-8"');
      reply.header(errorIdHeader, oauthErrorId(thrown));
      return reply.code(thrown.status).send({ error: thrown.code, error_description: thrown.message });
    }
    const error = prepareErrorReply(
      request,
      reply,
      thrown instanceof OAuthError ? request.shutOut?.() : thrown,
    );
    return reply.send({ error: codeOf(reply.statusCode), error_description: error.message });
  });
}

function codeOf(status: number): OAuthErrorCode {
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
