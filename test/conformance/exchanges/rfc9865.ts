import type { Conversation } from '../exchange.js';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const search = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const made = ['a', 'b', 'c'].map((userName) => ({
  name: `makes ${userName}`,
  request: 'POST /Users',
  body: {
    schemas: [user],
    userName,
    name: { familyName: 'Jensen', givenName: 'Barbara' },
    emails: [{ value: 'b@example.com' }],
  },
  status: 201,
}));

export const rfc9865: readonly Conversation[] = [
  {
    name: 'RFC 9865 section 2: pages by cursor',
    exchanges: [
      ...made,
      {
        name: 'the first page',
        request: 'GET /Users?cursor&count=2',
        status: 200,
        answer: {
          totalResults: 3,
          itemsPerPage: 2,
          nextCursor: /^[\w~.-]+$/,
          Resources: [{ userName: 'a' }, { userName: 'b' }],
        },
        remember: { next: 'nextCursor' },
      },
      {
        name: 'the last page',
        request: 'GET /Users?cursor={next}&count=2',
        status: 200,
        answer: { totalResults: 3, itemsPerPage: 1, Resources: [{ userName: 'c' }] },
        without: ['nextCursor'],
      },
      {
        name: 'a search by POST',
        request: 'POST /Users/.search',
        body: { schemas: [search], cursor: '{next}', count: 2 },
        status: 200,
        answer: { Resources: [{ userName: 'c' }] },
      },
      {
        name: 'no cursor, no page by cursor',
        request: 'GET /Users?count=2',
        status: 200,
        answer: { startIndex: 1, itemsPerPage: 2 },
        without: ['nextCursor'],
      },
    ],
  },
  {
    name: 'RFC 9865 section 2.1: errors of cursors',
    exchanges: [
      ...made,
      {
        name: 'a cursor that nobody made',
        request: 'GET /Users?cursor=VZUTiyhEQJ94IR',
        status: 400,
        answer: { scimType: 'invalidCursor', status: '400' },
      },
      {
        name: 'a count above the maximum means the maximum',
        request: 'GET /Users?cursor&count=101',
        status: 200,
        answer: { itemsPerPage: 3 },
      },
    ],
  },
  {
    name: 'RFC 9865 section 4: pagination in ServiceProviderConfig',
    exchanges: [
      {
        name: 'says what there is',
        request: 'GET /ServiceProviderConfig',
        status: 200,
        answer: {
          pagination: {
            cursor: true,
            index: true,
            defaultPaginationMethod: 'index',
            defaultPageSize: 100,
            maxPageSize: 100,
          },
        },
      },
    ],
  },
];
