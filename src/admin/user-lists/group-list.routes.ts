import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { directoryErrors } from '#src/directory/index.js';
import type { Group, GroupOrder } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import { inOrganization } from '../http/caller.js';
import {
  countedPageOf,
  includeTotal,
  orgParams,
  pageQuery,
  problems,
  security,
  timestamp,
  withTotal,
} from '../http/schemas.js';
import { decodeSearchCursor, encodeSearchCursor } from '../http/search-cursor.js';
import type { AdminNeeds } from '../needs/needs.js';

const sortFields = {
  displayName: 'search.loose',
  created: 'created',
  lastModified: 'lastModified',
} as const satisfies Record<string, GroupOrder['field']>;

const sortNames = Object.keys(sortFields) as (keyof typeof sortFields)[];

const query = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The beginning of a displayName. Letter case does not matter, and names are found in other ways of writing: Bücher as ' +
        'Buecher and Bucher',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(sortNames, {
      description: 'The order, by displayName if it is absent. A search has this one only',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'The direction of `sort`' })),
  includeTotal,
  after: Type.Optional(Type.String({ maxLength: 4_000, description: 'The `next` of the page before' })),
  limit: pageQuery.properties.limit,
});

/** What the list shows of a group. SCIM has the whole group. */
const groupSummary = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  created: timestamp,
  lastModified: timestamp,
});

/** The list in which a person searches a group while typing. SCIM lists groups with filters of every kind. */
export function groupListRoutes(deps: Pick<AdminNeeds, 'caches' | 'groups'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/orgs/:orgId/groups',
      {
        onRequest: inOrganization(deps, 'user.read'),
        schema: {
          tags: ['users'],
          security,
          operationId: 'listGroupSummaries',
          summary: 'List groups, or search them by the beginnings of their names',
          params: orgParams,
          querystring: query,
          response: { 200: countedPageOf(groupSummary), ...problems(400, 404) },
        },
      },
      async ({ params: { orgId }, query }) => {
        const { search: text = '', after, limit = 50 } = query;
        const sort = orderOf(query);
        const isByTime = sort.field !== 'search.loose';
        const from = after === undefined ? undefined : decodeSearchCursor(after, isByTime).after;
        const page = deps.groups.list(orgId, { text: text.trim(), sort, limit, after: from });
        const shown = page.then(({ groups, next }) => ({
          items: groups.map(toResponse),
          ...(next && { next: encodeSearchCursor({ step: 0, after: next }) }),
        }));
        return withTotal(query, shown, () => deps.groups.countListed(orgId, text.trim()));
      },
    );
  };
}

/** @throws AppError `directory.valueInvalid` for a search by a time, which no index serves */
function orderOf({ search = '', sort = 'displayName', order = 'asc' }: Static<typeof query>): GroupOrder {
  if (search.trim() !== '' && sort !== 'displayName')
    throw new AppError(directoryErrors.valueInvalid, {
      detail: 'A search is in the order of the names: leave out sort',
    });
  return { field: sortFields[sort], direction: order === 'asc' ? 1 : -1 };
}

function toResponse({ id, displayName, created, lastModified }: Group): Static<typeof groupSummary> {
  return { id, displayName, created: created.toISOString(), lastModified: lastModified.toISOString() };
}
