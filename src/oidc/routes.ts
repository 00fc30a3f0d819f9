import type { FastifyPluginAsync } from 'fastify';
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
import type { OidcNeeds } from './needs/needs.js';
import { revokeRoutes } from './revoke.routes.js';
import { userinfoRoutes } from './userinfo.routes.js';

/** The OAuth 2.0 endpoints. */
export function oidcRoutes(deps: OidcNeeds): FastifyPluginAsync {
  return async (app) => {
    await app.register(async (scope) => {
      allowOrigins(scope, deps);
      await scope.register(providerMetadataRoutes(deps));
    });
    await app.register(async (scope) => {
      readForms(scope);
      await scope.register(authorizeRoutes(deps));
      await scope.register(endSessionRoutes(deps));
    });
    await app.register(async (scope) => {
      readForms(scope);
      allowOrigins(scope, deps);
      answerWithOAuthErrors(scope);
      describeRoutes(scope, { errorForm: oauthErrorForm });
      await scope.register(tokenRoutes(deps));
      await scope.register(introspectRoutes(deps));
      await scope.register(revokeRoutes(deps));
      await scope.register(userinfoRoutes(deps));
    });
  };
}
