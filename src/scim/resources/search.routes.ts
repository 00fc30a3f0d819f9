import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { refuseOtherMethods } from '../http/refuse-methods.js';
import { permitted, scimContextOf } from '../http/scim-context.js';
import { scimOperation } from '../http/scim-schema.js';
import { sendJson } from '../http/send-json.js';
import type { Scans } from '../operations/list-resources.js';
import { searchAll } from '../operations/search-all.js';

/** The search over all types of resources (RFC 7644 section 3.4.3). */
export function searchRoutes(container: Container, scans: Scans): FastifyPluginAsync {
  const deps = { ...container, scans };
  const schema = scimOperation('searchAll', 'Finds users and groups', {
    description: 'It pages by `startIndex` alone, and takes no cursor (RFC 7644 section 3.4.3).',
    body: 'SearchRequest',
    examples: 'search',
    answer: 'ListResponse',
  });
  return async (app) => {
    app.post(
      '/.search',
      { config: { heavy: 'list' }, onRequest: permitted('user.read'), schema },
      async (request, reply) => sendJson(reply, await searchAll(deps, scimContextOf(request), request.body)),
    );
    refuseOtherMethods(app, '/.search', ['POST']);
  };
}
