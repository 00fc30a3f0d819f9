import t from 'tap';
import { userCondition } from '#src/people/queries/condition.js';
import type { ListQuery } from '#src/scim/list/list-query.js';
import { listResponse } from '#src/scim/list/list-response.js';
import { parseListQuery } from '#src/scim/list/parse-query.js';
import { parseSearchRequest } from '#src/scim/list/parse-search-request.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { outcome } from './support/outcome.js';

const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const defaults = { sort: { field: '_id', direction: 1 }, startIndex: 1, count: 100, scanning: [] };

/** A query without its projection, which is a function. */
function plain(parse: () => ListQuery) {
  const result = outcome(parse);
  if (typeof result === 'string') return result;
  const { projection: _projection, filter, ...rest } = result;
  return { ...rest, ...(filter && { filter: userCondition(filter) }) };
}

const query = (parameters: Record<string, unknown>) => plain(() => parseListQuery(parameters, userSchema));
const search = (members: Record<string, unknown>) =>
  plain(() => parseSearchRequest({ schemas: [searchRequest], ...members }, userSchema));

t.test('parameters of a query', async (t) => {
  const rows: [parameters: Record<string, unknown>, expected: unknown][] = [
    [{}, defaults],
    [
      { startIndex: '11', count: '10' },
      { ...defaults, startIndex: 11, count: 10 },
    ],
    [{ startIndex: '0' }, defaults],
    [
      { startIndex: '-5', count: '-5' },
      { ...defaults, count: 0 },
    ],
    [{ count: '0' }, { ...defaults, count: 0 }],
    [{ count: '100' }, defaults],
    [{ count: '101' }, defaults],
    [{ count: '9'.repeat(400) }, defaults],
    [{ count: `-${'9'.repeat(400)}` }, { ...defaults, count: 0 }],
    [{ count: 'ten' }, 'invalidValue'],
    [{ count: '1.5' }, 'invalidValue'],
    [{ count: '1e1' }, 'invalidValue'],
    [{ count: '0x10' }, 'invalidValue'],
    [{ startIndex: 'x' }, 'invalidValue'],
    [{ startIndex: '9'.repeat(30) }, { ...defaults, startIndex: Number.MAX_SAFE_INTEGER }],
    [{ startIndex: '9'.repeat(400) }, { ...defaults, startIndex: Number.MAX_SAFE_INTEGER }],
    [{ startIndex: `-${'9'.repeat(30)}` }, defaults],
    [{ count: ['1', '2'] }, 'invalidValue'],
    [{ filter: ['title pr', 'title pr'] }, 'invalidValue'],
    [{ count: '', startIndex: '', filter: ' ', sortBy: '', sortOrder: '' }, defaults],
    [{ unknown: 'x', ['__proto__']: 'x' }, defaults],
    [
      { filter: 'title pr' },
      { ...defaults, filter: { 'search.title': { $exists: true } }, scanning: ['title pr'] },
    ],
    [{ filter: 'title' }, 'invalidFilter'],
    [{ cursor: '' }, { ...defaults, cursor: '' }],
    [
      { cursor: 'abc', count: '5' },
      { ...defaults, count: 5, cursor: 'abc' },
    ],
    [{ attributes: 'title', excludedAttributes: 'name' }, 'invalidValue'],
    [
      { sortBy: 'userName', sortOrder: 'descending' },
      { ...defaults, sort: { field: 'search.userName', direction: -1 } },
    ],
  ];
  for (const [parameters, expected] of rows)
    t.strictSame(query(parameters), expected, JSON.stringify(parameters));
});

t.test('a search request has typed values, or the texts of a query', async (t) => {
  const rows: [members: Record<string, unknown>, expected: unknown][] = [
    [{}, defaults],
    [
      { startIndex: 11, count: 10 },
      { ...defaults, startIndex: 11, count: 10 },
    ],
    [
      { STARTINDEX: -1, Count: -1 },
      { ...defaults, count: 0 },
    ],
    [{ count: null, filter: null }, defaults],
    [{ count: 101 }, defaults],
    [
      { count: 2 ** 60, startIndex: 1e30 },
      { ...defaults, startIndex: Number.MAX_SAFE_INTEGER },
    ],
    [{ startIndex: 1.5 }, 'invalidValue'],
    [{ count: 1.5 }, 'invalidValue'],
    [
      { startIndex: '11', count: ' 10 ', attributes: '', excludedAttributes: '' },
      { ...defaults, startIndex: 11, count: 10 },
    ],
    [{ startIndex: '', count: '' }, defaults],
    [{ count: '9'.repeat(400) }, defaults],
    [{ count: 'ten' }, 'invalidValue'],
    [{ startIndex: '1.5' }, 'invalidValue'],
    [{ count: [10] }, 'invalidSyntax'],
    [{ count: true }, 'invalidSyntax'],
    [{ attributes: 'title', excludedAttributes: ['name'] }, 'invalidValue'],
    [{ attributes: 'x,'.repeat(2_001) }, 'invalidValue'],
    [{ attributes: Array(2_001).fill('x') }, 'invalidValue'],
    [{ attributes: { $ne: 1 } }, 'invalidSyntax'],
    [{ filter: 5 }, 'invalidSyntax'],
    [{ filter: { $ne: 1 } }, 'invalidSyntax'],
    [{ attributes: [1] }, 'invalidSyntax'],
    [{ attributes: ['title'], excludedAttributes: ['name'] }, 'invalidValue'],
    [{ schemas: [] }, 'invalidSyntax'],
    [{ schemas: undefined }, defaults],
    [{ schemas: null }, defaults],
    [{ schemas: [bulkRequest] }, 'invalidSyntax'],
    [{ filter: 'active gt "a"' }, 'invalidFilter'],
    [
      { sortBy: 'emails', sortOrder: 'DESCENDING' },
      { ...defaults, sort: { field: 'search.primaryEmail', direction: -1 } },
    ],
  ];
  for (const [members, expected] of rows)
    t.strictSame(search(members), expected, JSON.stringify(members).slice(0, 100));
  t.equal(
    outcome(() => parseSearchRequest([], userSchema)),
    'invalidSyntax',
  );
});

t.test('attributes of both forms', async (t) => {
  const resource = {
    schemas: ['s'],
    id: 'i',
    title: 't',
    userName: 'u',
    name: { givenName: 'g', familyName: 'f' },
  };
  const chosen = { schemas: ['s'], id: 'i', title: 't', name: { givenName: 'g' } };
  for (const { projection } of [
    parseListQuery({ attributes: 'title, name.givenName' }, userSchema),
    parseListQuery({ attributes: ['title', 'name.givenName'] }, userSchema),
    parseSearchRequest({ schemas: [searchRequest], attributes: ['title', 'name.givenName'] }, userSchema),
    parseSearchRequest({ attributes: 'title, name.givenName,' }, userSchema),
    parseSearchRequest({ attributes: ['title,name.givenName'] }, userSchema),
  ]) {
    t.strictSame(projection.project(resource), chosen);
  }
  t.strictSame(parseListQuery({ attributes: '' }, userSchema).projection.project(resource), resource);
});

t.test('sorting', async (t) => {
  const fields: [sortBy: string, field: string][] = [
    ['meta.created', 'created'],
    ['META.lastModified', 'lastModified'],
    ['id', '_id'],
    ['username', 'search.userName'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName', 'search.userName'],
    ['name.familyName', 'search.familyName'],
    ['name.givenName', 'search.givenName'],
    ['emails', 'search.primaryEmail'],
    ['emails.value', 'search.primaryEmail'],
  ];
  for (const [sortBy, field] of fields) t.match(query({ sortBy }), { sort: { field, direction: 1 } }, sortBy);
  for (const sortBy of [
    'name',
    'title',
    'password',
    'emails.type',
    'active',
    'externalId',
    '__proto__',
    'x',
    '$where',
  ]) {
    t.equal(query({ sortBy }), 'invalidValue', sortBy);
  }
  t.equal(query({ sortBy: 'id', sortOrder: 'down' }), 'invalidValue');
  t.match(
    query({ sortOrder: 'descending' }),
    { sort: { field: '_id', direction: 1 } },
    'no order without sortBy',
  );
});

t.test('the answer', async (t) => {
  t.strictSame(
    listResponse({ resources: [{ id: 'a' }], totalResults: 12, startIndex: 11, nextCursor: 'c' }),
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 12,
      itemsPerPage: 1,
      startIndex: 11,
      nextCursor: 'c',
      Resources: [{ id: 'a' }],
    },
  );
  t.strictSame(listResponse({ resources: [], totalResults: 12 }), {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 12,
    itemsPerPage: 0,
    startIndex: 1,
    Resources: [],
  });
});
