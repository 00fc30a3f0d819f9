import type { Conversation, Exchange } from '../exchange.js';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const search = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const bulkResponse = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
const error = 'urn:ietf:params:scim:api:messages:2.0:Error';

const minimal = {
  schemas: [user],
  userName: 'bjensen',
  externalId: 'bjensen',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
};

const created: Exchange = {
  name: 'a user',
  request: 'POST /Users',
  body: { ...minimal, title: 'Guide', phoneNumbers: [{ value: '5550100', type: 'home' }] },
  status: 201,
  remember: { id: 'id' },
};

/** A PATCH that answers with the whole user. */
function patches(
  name: string,
  operations: object[],
  expected: Omit<Exchange, 'name' | 'request' | 'body'>,
): Exchange {
  return {
    name,
    request: 'PATCH /Users/{id}?excludedAttributes=meta',
    body: { schemas: [patchOp], Operations: operations },
    ...expected,
  };
}

/** The example filters of section 3.4.2.2, and what this service answers. */
const filters: readonly [string, number][] = [
  ['userName Eq "john"', 200],
  ['Username eq "john"', 200],
  ['userName eq "bjensen"', 200],
  ['name.familyName co "O\'Malley"', 200],
  ['userName sw "J"', 200],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', 200],
  ['title pr', 200],
  ['meta.lastModified gt "2011-05-13T04:42:34Z"', 200],
  ['meta.lastModified ge "2011-05-13T04:42:34Z"', 200],
  ['meta.lastModified lt "2011-05-13T04:42:34Z"', 200],
  ['meta.lastModified le "2011-05-13T04:42:34Z"', 200],
  ['title pr and userType eq "Employee"', 200],
  ['title pr or userType eq "Intern"', 200],
  ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', 200],
  ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', 200],
  ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', 200],
  ['userType eq "Employee" and (emails.type eq "work")', 200],
  ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', 200],
  ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', 200],
];

export const rfc7644: readonly Conversation[] = [
  {
    name: 'RFC 7644 section 2: requests need a bearer token',
    exchanges: [
      {
        name: 'without one',
        request: 'GET /Users',
        headers: { authorization: '' },
        status: 401,
        answer: { schemas: [error], status: '401' },
        answerHeaders: { 'www-authenticate': /^Bearer/ },
      },
      {
        name: 'with a bad one',
        request: 'GET /Users',
        headers: { authorization: 'Bearer h480djs93hd8' },
        status: 401,
        answer: { schemas: [error], status: '401' },
        answerHeaders: { 'www-authenticate': /^Bearer/ },
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.3: creating',
    exchanges: [
      {
        name: 'a new user',
        request: 'POST /Users',
        body: minimal,
        status: 201,
        answer: {
          ...minimal,
          id: /./,
          meta: { resourceType: 'User', created: /^\d/, lastModified: /^\d/, location: /^https/ },
        },
        answerHeaders: { location: /^https:\/\/.*\/Users\/[^/]+$/ },
        remember: { location: 'meta.location' },
      },
      {
        name: 'a duplicate',
        request: 'POST /Users',
        body: minimal,
        status: 409,
        answer: { schemas: [error], scimType: 'uniqueness', status: '409' },
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.4.1: reading one',
    exchanges: [
      created,
      {
        name: 'a known one',
        request: 'GET /Users/{id}',
        status: 200,
        answer: { schemas: [user], id: '{id}', meta: { location: '{base}/Users/{id}' } },
        answerHeaders: { 'content-location': /\/Users\// },
      },
      {
        name: 'an unknown one',
        request: 'GET /Users/2819c223',
        status: 404,
        answer: { schemas: [error], status: '404' },
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.4.2: lists',
    exchanges: [
      {
        name: 'no user at all is an empty list',
        request: 'GET /Users?filter=userName+eq+%22nobody%22',
        status: 200,
        answer: { schemas: [list], totalResults: 0 },
      },
      created,
      {
        name: 'chosen attributes',
        request: 'GET /Users?attributes=userName',
        status: 200,
        answer: { totalResults: 1, Resources: [{ schemas: [user], id: '{id}', userName: 'bjensen' }] },
        without: ['Resources.0.name', 'Resources.0.meta'],
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.4.2.2: the example filters',
    exchanges: [
      created,
      ...filters.map(([filter, status]) => ({
        name: filter,
        request: `GET /Users?filter=${encodeURIComponent(filter)}`,
        status,
        answer: status === 200 ? { schemas: [list] } : { schemas: [error], scimType: 'invalidFilter' },
      })),
    ],
  },
  {
    name: 'RFC 7644 section 3.4.2.4: pages by index',
    exchanges: [
      created,
      {
        name: 'startIndex below 1 is 1',
        request: 'GET /Users?startIndex=0&count=10',
        status: 200,
        answer: { totalResults: 1, startIndex: 1, itemsPerPage: 1 },
      },
      {
        name: 'a negative count is 0',
        request: 'GET /Users?count=-5',
        status: 200,
        answer: { totalResults: 1, itemsPerPage: 0 },
        without: ['Resources.0'],
      },
      {
        name: 'count 0 is the total alone',
        request: 'GET /Users?count=0',
        status: 200,
        answer: { totalResults: 1, itemsPerPage: 0 },
        without: ['Resources.0'],
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.4.3: searching by POST',
    exchanges: [
      created,
      {
        name: 'the same as by GET',
        request: 'POST /Users/.search',
        body: {
          schemas: [search],
          attributes: ['displayName', 'userName'],
          filter: 'displayName sw "barbara"',
          startIndex: 1,
          count: 10,
        },
        status: 200,
        answer: {
          schemas: [list],
          totalResults: 1,
          itemsPerPage: 1,
          startIndex: 1,
          Resources: [{ id: '{id}', displayName: 'Barbara Jensen', userName: 'bjensen' }],
        },
        without: ['Resources.0.name'],
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.5.1: replacing',
    exchanges: [
      created,
      {
        name: 'clears what is absent',
        request: 'PUT /Users/{id}',
        body: { ...minimal, nickName: 'Babs' },
        status: 200,
        answer: { id: '{id}', nickName: 'Babs' },
        without: ['title', 'phoneNumbers'],
      },
      {
        name: 'needs what is required',
        request: 'PUT /Users/{id}',
        body: { schemas: [user], displayName: 'B' },
        status: 400,
        answer: { scimType: 'invalidValue' },
      },
      {
        name: 'does not create',
        request: 'PUT /Users/unknown',
        body: minimal,
        status: 404,
        answer: { status: '404' },
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.5.2.1: PATCH add',
    exchanges: [
      created,
      patches('replaces a single value', [{ op: 'add', path: 'title', value: 'Boss' }], {
        status: 200,
        answer: { title: 'Boss' },
      }),
      patches(
        'appends to a list',
        [{ op: 'add', path: 'emails', value: [{ value: 'babs@jensen.org', type: 'home' }] }],
        {
          status: 200,
          answer: {
            emails: [
              { type: 'work', primary: true },
              { type: 'home', primary: false },
            ],
          },
        },
      ),
      patches(
        'a new primary value takes that from the old one',
        [{ op: 'add', path: 'emails', value: [{ value: 'new@example.com', primary: true }] }],
        {
          status: 200,
          answer: {
            emails: [{ primary: false }, { primary: false }, { value: 'new@example.com', primary: true }],
          },
        },
      ),
      patches(
        'without path adds each member',
        [{ op: 'add', value: { nickName: 'Babs', emails: [{ value: 'third@example.com' }] } }],
        { status: 200, answer: { nickName: 'Babs', emails: [{}, {}, {}, { value: 'third@example.com' }] } },
      ),
      patches(
        'what is there already is not added again',
        [{ op: 'add', path: 'emails', value: [{ value: 'third@example.com' }] }],
        { status: 200, answer: { emails: [{}, {}, {}, {}] }, without: ['emails.4'] },
      ),
      patches('merges a complex attribute', [{ op: 'add', path: 'name', value: { middleName: 'J' } }], {
        status: 200,
        answer: { name: { givenName: 'Barbara', middleName: 'J' } },
      }),
      patches('needs a value', [{ op: 'add', path: 'title' }], {
        status: 400,
        answer: { scimType: 'invalidValue' },
      }),
    ],
  },
  {
    name: 'RFC 7644 section 3.5.2.2: PATCH remove',
    exchanges: [
      created,
      patches('needs a path', [{ op: 'remove' }], { status: 400, answer: { scimType: 'noTarget' } }),
      patches('unassigns a single value', [{ op: 'remove', path: 'title' }], {
        status: 200,
        answer: {},
        without: ['title'],
      }),
      patches(
        'removes the values that a filter selects',
        [{ op: 'remove', path: 'phoneNumbers[type eq "home"]' }],
        {
          status: 200,
          answer: {},
          without: ['phoneNumbers'],
        },
      ),
      patches('does not remove what is required', [{ op: 'remove', path: 'userName' }], {
        status: 400,
        answer: { scimType: /^(mutability|invalidValue)$/ },
      }),
      patches('removes the last address', [{ op: 'remove', path: 'emails' }], {
        status: 200,
        answer: {},
        without: ['emails'],
      }),
    ],
  },
  {
    name: 'RFC 7644 section 3.5.2.3: PATCH replace',
    exchanges: [
      created,
      patches('sets what was unassigned', [{ op: 'replace', path: 'nickName', value: 'Babs' }], {
        status: 200,
        answer: { nickName: 'Babs' },
      }),
      patches(
        'replaces a part of the selected value',
        [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'w@example.com' }],
        {
          status: 200,
          answer: { emails: [{ value: 'w@example.com', type: 'work', primary: true }] },
        },
      ),
      patches(
        'replaces a list',
        [{ op: 'replace', path: 'emails', value: [{ value: 'only@example.com' }] }],
        {
          status: 200,
          answer: { emails: [{ value: 'only@example.com', primary: true }] },
          without: ['emails.1', 'emails.0.type'],
        },
      ),
      patches(
        'without path replaces each member',
        [{ op: 'replace', value: { title: 'T', name: { givenName: 'B' } } }],
        {
          status: 200,
          answer: { title: 'T', name: { givenName: 'B', familyName: 'Jensen' } },
        },
      ),
      patches(
        'needs a match',
        [{ op: 'replace', path: 'emails[value ew "nowhere"].value', value: 'x@example.com' }],
        {
          status: 400,
          answer: { scimType: 'noTarget' },
        },
      ),
      patches('respects read-only attributes', [{ op: 'replace', path: 'meta.version', value: '1' }], {
        status: 400,
        answer: { scimType: 'mutability' },
      }),
      patches('knows its paths', [{ op: 'replace', path: 'emails[', value: 'x' }], {
        status: 400,
        answer: { scimType: 'invalidPath' },
      }),
    ],
  },
  {
    name: 'RFC 7644 section 3.5.2: PATCH is atomic and answers 204 by itself',
    exchanges: [
      created,
      {
        name: 'one bad operation undoes all',
        request: 'PATCH /Users/{id}',
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'replace', path: 'title', value: 'Boss' },
            { op: 'replace', path: 'locale', value: '???' },
          ],
        },
        status: 400,
        answer: { scimType: 'invalidValue' },
      },
      {
        name: 'nothing changed',
        request: 'GET /Users/{id}',
        status: 200,
        answer: { title: 'Guide', meta: { version: '1' } },
      },
      {
        name: 'a good one',
        request: 'PATCH /Users/{id}',
        body: { schemas: [patchOp], Operations: [{ op: 'replace', path: 'title', value: 'Boss' }] },
        status: 204,
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.6: deleting',
    exchanges: [
      created,
      { name: 'a user', request: 'DELETE /Users/{id}', status: 204 },
      { name: 'it is not found', request: 'GET /Users/{id}', status: 404, answer: { status: '404' } },
      { name: 'nor listed', request: 'GET /Users', status: 200, answer: { totalResults: 0 } },
      { name: 'its userName is free', request: 'POST /Users', body: minimal, status: 201 },
    ],
  },
  {
    name: 'RFC 7644 section 3.7: Bulk',
    exchanges: [
      created,
      {
        name: 'one of each',
        request: 'POST /Bulk',
        body: {
          schemas: [bulkRequest],
          failOnErrors: 1,
          Operations: [
            { method: 'POST', path: '/Users', bulkId: 'qwerty', data: { ...minimal, userName: 'Alice' } },
            { method: 'PUT', path: '/Users/{id}', data: { ...minimal, userName: 'Bob' } },
            {
              method: 'PATCH',
              path: '/Users/bulkId:qwerty',
              data: { schemas: [patchOp], Operations: [{ op: 'add', path: 'title', value: 'T' }] },
            },
            { method: 'DELETE', path: '/Users/{id}' },
          ],
        },
        status: 200,
        answer: {
          schemas: [bulkResponse],
          Operations: [
            { location: /\/Users\//, method: 'POST', bulkId: 'qwerty', version: /./, status: '201' },
            { location: '{base}/Users/{id}', method: 'PUT', version: /./, status: '200' },
            { method: 'PATCH', status: '204' },
            { location: '{base}/Users/{id}', method: 'DELETE', status: '204' },
          ],
        },
        remember: { alice: 'Operations.0.location' },
      },
      {
        name: 'stops at the number of errors, with the error in the response',
        request: 'POST /Bulk',
        body: {
          schemas: [bulkRequest],
          failOnErrors: 1,
          Operations: [
            { method: 'POST', path: '/Users', bulkId: 'qwerty', data: { ...minimal, userName: 'ALICE' } },
            { method: 'DELETE', path: '/Users/{id}' },
          ],
        },
        status: 200,
        answer: {
          Operations: [
            {
              method: 'POST',
              bulkId: 'qwerty',
              status: '409',
              response: { schemas: [error], scimType: 'uniqueness', status: '409' },
            },
          ],
        },
        without: ['Operations.0.location', 'Operations.1'],
      },
      {
        name: 'more operations than allowed',
        request: 'POST /Bulk',
        body: { schemas: [bulkRequest], Operations: Array(101).fill({ method: 'DELETE', path: '/Users/x' }) },
        status: 413,
        answer: { schemas: [error], status: '413', detail: /100/ },
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.8: media types',
    exchanges: [
      {
        name: 'application/json is accepted, the answer is application/scim+json',
        request: 'GET /Users',
        headers: { accept: 'application/json' },
        status: 200,
        answer: { schemas: [list] },
      },
      {
        name: 'application/json is taken',
        request: 'POST /Users',
        headers: { 'content-type': 'application/json' },
        body: minimal,
        status: 201,
        answer: { userName: 'bjensen' },
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.9: attributes and excludedAttributes',
    exchanges: [
      created,
      {
        name: 'only some; id is always there',
        request: 'GET /Users/{id}?attributes=userName,emails.value',
        status: 200,
        answer: {
          schemas: [user],
          id: '{id}',
          userName: 'bjensen',
          emails: [{ value: 'bjensen@example.com' }],
        },
        without: ['title', 'meta', 'emails.0.type'],
      },
      {
        name: 'all but some; id is always there',
        request: 'GET /Users/{id}?excludedAttributes=id,title,name.givenName',
        status: 200,
        answer: { id: '{id}', userName: 'bjensen', name: { familyName: 'Jensen' } },
        without: ['title', 'name.givenName'],
      },
      {
        name: 'with the URN of the schema',
        request: `GET /Users/{id}?attributes=${user}:userName`,
        status: 200,
        answer: { userName: 'bjensen' },
        without: ['title'],
      },
    ],
  },
  {
    name: 'RFC 7644 section 3.12: errors',
    exchanges: [
      {
        name: 'have a schema, a status that is a string, and a detail',
        request: 'POST /Users',
        body: { ...minimal, emails: [{ value: 'nobody' }] },
        status: 400,
        answer: { schemas: [error], scimType: 'invalidValue', detail: /emails/, status: '400' },
      },
    ],
  },
  {
    name: 'RFC 7644 section 4: discovery is read-only and does not filter',
    exchanges: [
      {
        name: 'a POST',
        request: 'POST /Schemas',
        body: {},
        status: 405,
        answer: { status: '405' },
        answerHeaders: { allow: /GET/ },
      },
      {
        name: 'pages and orders are ignored',
        request: 'GET /Schemas?startIndex=3&count=1&sortBy=name',
        status: 200,
        answer: { totalResults: 7, startIndex: 1, itemsPerPage: 7 },
      },
      {
        name: 'a filter',
        request: 'GET /ResourceTypes?filter=name%20eq%20%22User%22',
        status: 403,
        answer: { schemas: [error], status: '403' },
      },
    ],
  },
];
