import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { directoryErrors } from '#src/directory/index.js';
import { inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { orgParams, pageOf, pageQuery, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { presentSummary, userSummary } from './user-summary.js';

const params = Type.Object({
  ...orgParams.properties,
  groupId: Type.String({ minLength: 1, maxLength: 200, description: 'A group' }),
});

/** The members of a group of any size, a page at a time. SCIM changes them. */
export function groupMemberRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'groupMembers' | 'groups' | 'userSearch'>,
): FastifyPluginAsyncTypebox {
  const { groups, groupMembers, userSearch } = deps;
  return async (app) => {
    app.get(
      '/orgs/:orgId/groups/:groupId/members',
      {
        onRequest: inOrganization(deps, 'user.read'),
        schema: {
          tags: ['users'],
          security,
          operationId: 'listGroupMembers',
          summary: 'List the members of a group in the order of their identifiers',
          params,
          querystring: pageQuery,
          response: { 200: pageOf(userSummary), ...problems(400, 404) },
        },
      },
      async ({ params: { orgId, groupId }, query: { after, limit = 50 } }) => {
        await orNotFound(groups.find(orgId, groupId), directoryErrors.groupNotFound);
        const ids = await groupMembers.page(orgId, groupId, { after, limit: limit + 1 });
        const shown = ids.slice(0, limit);
        const last = shown.at(-1);
        return {
          items: (await userSearch.listed(orgId, shown)).map(presentSummary),
          ...(ids.length > limit && last !== undefined && { next: last }),
        };
      },
    );
  };
}
