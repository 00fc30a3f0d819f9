import type { FastifyPluginAsync } from 'fastify';
import { listClient } from './http/list-client.js';
import { refuseOtherMethods } from './http/refuse-methods.js';
import { permitted, scimContextOf } from './http/scim-context.js';
import { scimOperation } from './http/scim-schema.js';
import { sendJson } from './http/send-json.js';
import type { ScimDeps } from './operations/context.js';
import type { Lists } from './operations/list-resources.js';
import { searchAll } from './operations/search-all.js';

/** The search over all types of resources (RFC 7644 section 3.4.3). */
export function searchRoutes(needs: ScimDeps, lists: Lists): FastifyPluginAsync {
  const deps = { ...needs, ...lists };
  const schema = scimOperation('searchAll', 'Finds users and groups', {
    description:
      'First the users, then the groups (RFC 7644 section 3.4.3). A page by cursor has either users or groups.',
    body: 'SearchRequest',
    examples: 'search',
    answer: 'ListResponse',
  });
  return async (app) => {
    app.post(
      '/.search',
      { config: { heavy: 'list' }, onRequest: permitted('user.read'), schema },
      async (request, reply) => {
        const search = { body: request.body, client: listClient(reply) };
        return sendJson(reply, await searchAll(deps, scimContextOf(request), search));
      },
    );
    refuseOtherMethods(app, '/.search', ['POST']);
  };
}
