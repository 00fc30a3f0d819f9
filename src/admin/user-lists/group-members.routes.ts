import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { directoryErrors } from '#src/directory/index.js';
import { inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import {
  countedPageOf,
  includeTotal,
  orgParams,
  pageQuery,
  problems,
  security,
  withTotal,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { summaryToResponse, userSummary } from './user-summary.js';

const params = Type.Object({
  ...orgParams.properties,
  groupId: Type.String({ minLength: 1, maxLength: 200, description: 'A group' }),
});

/** The most users of whom a request asks whether they are members. */
const mostAmong = 50;

const query = Type.Object({
  ...pageQuery.properties,
  includeTotal,
  among: Type.Optional(
    Type.String({
      maxLength: mostAmong * 201,
      description: `Identifiers of at most ${mostAmong} users, separated by commas. The response has those of them who are members, without \`next\``,
    }),
  ),
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
          querystring: query,
          response: { 200: countedPageOf(userSummary), ...problems(400, 404) },
        },
      },
      async ({ params: { orgId, groupId }, query: { after, among, limit = 50, ...wanted } }) => {
        await orNotFound(groups.find(orgId, groupId), directoryErrors.groupNotFound);
        if (among !== undefined) {
          const members = await groupMembers.among(orgId, groupId, among.split(',').slice(0, mostAmong));
          return { items: (await userSearch.listed(orgId, [...members])).map(summaryToResponse) };
        }
        const page = async () => {
          const ids = await groupMembers.page(orgId, groupId, { after, limit: limit + 1 });
          const shown = ids.slice(0, limit);
          const last = shown.at(-1);
          const items = (await userSearch.listed(orgId, shown)).map(summaryToResponse);
          return { items, ...(ids.length > limit && last !== undefined && { next: last }) };
        };
        return withTotal(wanted, page(), () => groupMembers.count(orgId, groupId));
      },
    );
  };
}
