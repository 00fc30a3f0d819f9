import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { directoryErrors } from '#src/directory/index.js';
import type { ResourceQuery } from '#src/people/queries/index.js';
import type { UserOrder } from '#src/people/search-people/index.js';
import { AppError } from '#src/platform/errors.js';
import { inOrganization } from '../http/caller.js';
import {
  countedPageOf,
  includeTotal,
  orgParams,
  pageQuery,
  problems,
  security,
  withTotal,
} from '../http/schemas.js';
import { decodeSearchCursor, encodeSearchCursor } from '../http/search-cursor.js';
import type { AdminNeeds } from '../needs/needs.js';
import { summaryToResponse, userSummary } from './user-summary.js';

const sortFields = {
  userName: 'search.userName',
  familyName: 'search.familyName',
  email: 'search.primaryEmail',
  created: 'created',
  lastModified: 'lastModified',
} as const satisfies Record<string, UserOrder['field']>;
type SortName = keyof typeof sortFields;
const sortNames = Object.keys(sortFields) as SortName[];
const times: ReadonlySet<SortName | undefined> = new Set(['created', 'lastModified'] as const);

const query = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The beginning of a userName, of a name or of the primary address, a whole name, or an identifier. Letter case does not matter, ' +
        'and names are found in other ways of writing: Müller as Mueller and Muller, O’Brien as OBrien',
    }),
  ),
  active: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Only users who are active, or who are not' }),
  ),
  sort: Type.Optional(
    Type.Enum(sortNames, {
      description: 'The order of a list without a search, by userName if it is absent',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'The direction of `sort`' })),
  includeTotal,
  after: Type.Optional(Type.String({ maxLength: 4_000, description: 'The `next` of the page before' })),
  limit: pageQuery.properties.limit,
});

/** The list in which a person searches a user while typing. SCIM lists users with a total and with filters of every kind. */
export function userListRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'userCounter' | 'userSearch'>,
): FastifyPluginAsyncTypebox {
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
          description:
            'With `includeTotal`, a list without a search has `total`. A search has it if all that it finds is on one page',
          params: orgParams,
          querystring: query,
          response: { 200: countedPageOf(userSummary), ...problems(400, 404) },
        },
      },
      async ({ params: { orgId }, query }) => {
        const { search = '', active, after, limit = 50 } = query;
        const isSearch = search.trim() !== '';
        const wanted = active === undefined ? undefined : active === 'true';
        const page = deps.userSearch.search(orgId, {
          text: search,
          active: wanted,
          sort: orderOf(query, isSearch),
          limit,
          from: after === undefined ? undefined : decodeSearchCursor(after, times.has(query.sort)),
        });
        const total = async () => {
          if (!isSearch) return countUsers(deps, orgId, wanted);
          const { users, next } = await page;
          return after === undefined && next === undefined ? users.length : undefined;
        };
        const shown = page.then(({ users, next }) => ({
          items: users.map(summaryToResponse),
          ...(next && { next: encodeSearchCursor(next) }),
        }));
        return withTotal(query, shown, total);
      },
    );
  };
}

/** @throws AppError `directory.valueInvalid` for a search, whose closest matches come first */
function orderOf(
  { sort, order = 'asc' }: Pick<Static<typeof query>, 'sort' | 'order'>,
  isSearch: boolean,
): UserOrder | undefined {
  if (sort === undefined && order === 'asc') return undefined;
  if (isSearch)
    throw new AppError(directoryErrors.valueInvalid, {
      detail: 'A search has its own order: leave out sort',
    });
  return { field: sortFields[sort ?? 'userName'], direction: order === 'asc' ? 1 : -1 };
}

const inactive: ResourceQuery = {
  kind: 'equal',
  field: 'active',
  value: false,
  anyCase: false,
  isNaming: false,
  written: { name: 'active', operator: 'eq' },
};

/** The number of all users is a stored total, and an index has those who are not active. So no count reads every user. */
async function countUsers(
  { userCounter }: Pick<AdminNeeds, 'userCounter'>,
  orgId: string,
  active: boolean | undefined,
): Promise<number> {
  if (active === undefined) return userCounter.count(orgId);
  const [all, others] = await Promise.all([
    active ? userCounter.count(orgId) : 0,
    userCounter.count(orgId, inactive),
  ]);
  return active ? Math.max(0, all - others) : others;
}
