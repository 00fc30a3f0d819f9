import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/rooms.js';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { readForms } from '#src/http/bodies/read-forms.js';
import { authorizeRoutes } from './authorize/http/authorize.routes.js';
import { oauthErrorForm } from './description/error-form.js';
import { providerMetadataRoutes } from './discovery.routes.js';
import { endSessionRoutes } from './end-session/end-session.routes.js';
import { tokenRoutes } from './grants/token.routes.js';
import { allowOrigins } from './http/allow-origins.js';
import { answerWithOAuthErrors } from './http/answer-oauth-errors.js';
import { introspectRoutes } from './introspect.routes.js';
import { revokeRoutes } from './revoke.routes.js';
import { userinfoRoutes } from './userinfo.routes.js';

/** The OAuth 2.0 endpoints. */
export function oidcRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    await app.register(async (scope) => {
      allowOrigins(scope, container);
      await scope.register(providerMetadataRoutes(container));
    });
    await app.register(async (scope) => {
      readForms(scope);
      await scope.register(authorizeRoutes(container));
      await scope.register(endSessionRoutes(container));
    });
    await app.register(async (scope) => {
      readForms(scope);
      allowOrigins(scope, container);
      answerWithOAuthErrors(scope);
      describeRoutes(scope, { errorForm: oauthErrorForm });
      await scope.register(tokenRoutes(container));
      await scope.register(introspectRoutes(container));
      await scope.register(revokeRoutes(container));
      await scope.register(userinfoRoutes(container));
    });
  };
}
