import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { inOrganization } from '../http/caller.js';
import { orgParams, pageOf, pageQuery, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { decodeSearchCursor, encodeSearchCursor } from './search-cursor.js';
import { presentSummary, userSummary } from './user-summary.js';

const query = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The beginning of a userName, of a name or of the primary address, a whole name, or an identifier. Letter case does not matter',
    }),
  ),
  active: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Only users who are active, or who are not' }),
  ),
  after: Type.Optional(Type.String({ maxLength: 4_000, description: 'The `next` of the page before' })),
  limit: pageQuery.properties.limit,
});

/** The list in which a person searches a user while typing. SCIM lists users with a total and with filters of every kind. */
export function userListRoutes(deps: Pick<AdminNeeds, 'caches' | 'userSearch'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/orgs/:orgId/users',
      {
        onRequest: inOrganization(deps, 'user.read'),
        config: { heavy: 'list' },
        schema: {
          tags: ['users'],
          security,
          operationId: 'listUserSummaries',
          summary:
            'Search users by beginnings, the closest matches first; without a search, list them by userName. A page may be shorter ' +
            'than `limit` although `next` is present',
          params: orgParams,
          querystring: query,
          response: { 200: pageOf(userSummary), ...problems(400, 404) },
        },
      },
      async ({ params, query: { search = '', active, after, limit = 50 } }) => {
        const from = after === undefined ? undefined : decodeSearchCursor(after);
        const { users, next } = await deps.userSearch.search(params.orgId, {
          text: search,
          ...(active !== undefined && { active: active === 'true' }),
          limit,
          from,
        });
        return { items: users.map(presentSummary), ...(next && { next: encodeSearchCursor(next) }) };
      },
    );
  };
}
