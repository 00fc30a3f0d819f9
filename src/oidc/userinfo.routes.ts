import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { errorIdHeader } from '#src/http/base/problem.js';
import { sendClaims } from './http/send-claims.js';
import { readLiveToken } from './issuance/read-live-token.js';
import { userinfoText } from './issuance/userinfo-text.js';
import type { OidcNeeds } from './needs/needs.js';
import { BearerError } from './protocol/bearer-error.js';
import { oauthErrorId } from './protocol/oauth-error.js';
import { readBearerToken } from './protocol/read-bearer-token.js';

const schema = {
  tags: ['oauth'],
  summary: 'Claims about the user of an access token (OpenID Connect Core section 5.3)',
  security: [{ person: ['openid'] }],
};

/** `GET` and `POST /oidc/v1/userinfo`. */
export function userinfoRoutes(
  deps: Pick<
    OidcNeeds,
    | 'accessTokens'
    | 'caches'
    | 'clock'
    | 'people'
    | 'projectRolesOfUsers'
    | 'provenCredentials'
    | 'revocations'
    | 'groupsOfUsers'
    | 'users'
  >,
): FastifyPluginAsync {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const live = await readLiveToken(deps, readBearerToken(request));
    if (live === undefined) throw new BearerError('invalid_token', 'The access token is invalid or expired');
    deps.provenCredentials.add(request.headers.authorization, live.claims.sub);
    return sendClaims(reply, await userinfoText(deps, live));
  };
  return async (app) => {
    app.setErrorHandler((thrown, request, reply: FastifyReply) => {
      if (!(thrown instanceof BearerError)) throw thrown;
      if (thrown.status === 401 && request.shutOut) throw request.shutOut();
      request.log.debug({ code: thrown.code }, 'bearer token refused');
      reply.code(thrown.status).header('www-authenticate', thrown.challenge);
      reply.header(errorIdHeader, oauthErrorId(thrown));
      return reply.send({ error: thrown.code, error_description: thrown.message });
    });
    const described = async () => (await import('./description/metadata.js')).describeUserinfo();
    app.get(
      '/oidc/v1/userinfo',
      {
        schema: {
          ...schema,
          operationId: 'userinfo',
          description: 'The scopes of the token decide which claims the answer has',
          described,
        },
      },
      answer,
    );
    const posted = async () => (await import('./description/metadata.js')).describePostedUserinfo();
    app.post(
      '/oidc/v1/userinfo',
      {
        schema: {
          ...schema,
          operationId: 'postUserinfo',
          description: 'The token is in the header or in the form (RFC 6750 section 2.2)',
          described: posted,
        },
      },
      answer,
    );
  };
}
