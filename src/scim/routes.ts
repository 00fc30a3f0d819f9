import type { FastifyPluginAsync } from 'fastify';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { bulkRoutes } from './bulk/bulk.routes.js';
import { discoveryRoutes } from './discovery/discovery.routes.js';
import { eventsRoutes } from './events.routes.js';
import { groupsRoutes } from './groups.routes.js';
import { answerWithScimErrors } from './http/answer-scim-errors.js';
import { noteRequests } from './http/note-requests.js';
import { readScimBodies } from './http/read-body.js';
import { refuseMe } from './http/refuse-methods.js';
import { requireScimAccepted } from './http/require-scim-accepted.js';
import { requireScimCaller } from './http/scim-context.js';
import { scimErrorForm } from './http/scim-schema.js';
import { createListPermits } from './list/list-permits.js';
import { createScans } from './list/scans.js';
import type { ScimNeeds } from './needs/needs.js';
import { searchRoutes } from './search.routes.js';
import { usersRoutes } from './users.routes.js';

/** Everything below `{base_url}/scim/v2/{orgId}`. */
export function scimRoutes(deps: ScimNeeds): FastifyPluginAsync {
  return async (app) => {
    answerWithScimErrors(app, deps);
    noteRequests(app, deps);
    describeRoutes(app, { compressible: true, errorForm: scimErrorForm });
    requireScimAccepted(app);
    // The schemas of these routes are documentation. The attribute table checks bodies (see scim-schema.ts).
    app.setValidatorCompiler(() => () => true);
    await app.register(discoveryRoutes(deps));
    // Only requests of a known caller to a known address have a body that is read.
    await app.register(async (scope) => {
      requireScimCaller(scope, deps);
      readScimBodies(scope);
      const lists = { scans: createScans(deps), permits: createListPermits() };
      await scope.register(usersRoutes(deps, lists));
      await scope.register(groupsRoutes(deps, lists));
      await scope.register(searchRoutes(deps, lists));
      await scope.register(bulkRoutes(deps));
      await scope.register(eventsRoutes(deps));
      refuseMe(scope);
    });
  };
}
