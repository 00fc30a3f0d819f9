import type { Conversation, Exchange } from '../exchange.js';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const schema = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const minimal = {
  schemas: [user],
  userName: 'bjensen@example.com',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
};

/** Creates a user from the minimal one and what differs. */
function creates(
  name: string,
  differences: object,
  expected: Omit<Exchange, 'name' | 'request' | 'body'>,
): Exchange {
  return { name, request: 'POST /Users', body: { ...minimal, ...differences }, ...expected };
}

export const rfc7643: readonly Conversation[] = [
  {
    name: 'RFC 7643 section 2.1: names of attributes have no letter case',
    exchanges: [
      {
        name: 'a user in capitals',
        request: 'POST /Users',
        body: {
          SCHEMAS: [user.toUpperCase()],
          USERNAME: 'Bjensen',
          NAME: { FAMILYNAME: 'Jensen', GIVENNAME: 'Barbara' },
          EMAILS: [{ VALUE: 'b@example.com', TYPE: 'work' }],
        },
        status: 201,
        answer: {
          schemas: [user],
          userName: 'Bjensen',
          name: { familyName: 'Jensen' },
          emails: [{ type: 'work' }],
        },
        without: ['USERNAME'],
      },
    ],
  },
  {
    name: 'RFC 7643 section 2.3: values have the JSON type of their attribute',
    exchanges: [
      creates(
        'an object for a string',
        { title: {} },
        { status: 400, answer: { scimType: 'invalidSyntax' } },
      ),
      creates('a list for an object', { name: [] }, { status: 400, answer: { scimType: 'invalidSyntax' } }),
      creates('an object for a list', { emails: {} }, { status: 400, answer: { scimType: 'invalidSyntax' } }),
      creates(
        'a number for a boolean',
        { active: 1 },
        { status: 400, answer: { scimType: 'invalidSyntax' } },
      ),
    ],
  },
  {
    name: 'RFC 7643 section 2.4: primary is true for one value at most',
    exchanges: [
      creates(
        'two primary values',
        {
          emails: [
            { value: 'a@example.com', primary: true },
            { value: 'b@example.com', primary: true },
          ],
        },
        {
          status: 201,
          answer: {
            emails: [
              { value: 'a@example.com', primary: true },
              { value: 'b@example.com', primary: false },
            ],
          },
        },
      ),
    ],
  },
  {
    name: 'RFC 7643 section 2.5: null, an empty list and no value are the same',
    exchanges: [
      creates(
        'null and empty values',
        { title: null, phoneNumbers: [], nickName: null, name: { ...minimal.name, middleName: null } },
        {
          status: 201,
          without: ['title', 'phoneNumbers', 'nickName', 'name.middleName'],
          remember: { id: 'id' },
        },
      ),
      {
        name: 'PATCH with null unassigns',
        request: 'PATCH /Users/{id}?attributes=title',
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [
            { op: 'add', path: 'title', value: 'T' },
            { op: 'replace', path: 'title', value: null },
          ],
        },
        status: 200,
        without: ['title'],
      },
    ],
  },
  {
    name: 'RFC 7643 section 3: schemas is required and lists the schemas of the resource',
    exchanges: [
      creates(
        'without schemas',
        { schemas: undefined },
        { status: 400, answer: { scimType: 'invalidSyntax' } },
      ),
      creates('with an empty list', { schemas: [] }, { status: 400, answer: { scimType: 'invalidSyntax' } }),
      creates('with a string', { schemas: user }, { status: 400, answer: { scimType: 'invalidSyntax' } }),
      creates(
        'with an extension that is not kept',
        { schemas: [user, 'urn:example:Other'], 'urn:example:Other': { a: 1 } },
        { status: 201, answer: { schemas: [user] }, without: ['urn:example:Other', 'schemas.1'] },
      ),
    ],
  },
  {
    name: 'RFC 7643 section 3.1: common attributes',
    exchanges: [
      creates(
        'id and meta are the service provider’s',
        {
          id: 'mine',
          externalId: '701984',
          meta: { resourceType: 'Group', version: '"x"', created: '2010-01-01T00:00:00Z' },
        },
        {
          status: 201,
          answer: {
            id: /^(?!mine$)/,
            externalId: '701984',
            meta: {
              resourceType: 'User',
              created: /^20(?!10).*\.\d+Z$/,
              lastModified: /\.\d+Z$/,
              version: /^W\/"[^"]+"$/,
              location: /^https:\/\/.*\/Users\//,
            },
          },
          remember: { id: 'id', location: 'meta.location' },
        },
      ),
      {
        name: 'PUT ignores read-only attributes',
        request: 'PUT /Users/{id}',
        body: { ...minimal, id: 'other', meta: { location: 'https://example.com' } },
        status: 200,
        answer: { id: '{id}', meta: { location: '{location}' } },
        answerHeaders: { 'content-location': /\/Users\// },
      },
    ],
  },
  {
    name: 'RFC 7643 section 4.1.1: userName is unique, whatever the letter case; password is never returned',
    exchanges: [
      creates(
        'a user',
        { password: 'Correct-Horse-9' },
        { status: 201, without: ['password'], remember: { id: 'id' } },
      ),
      creates(
        'the same name in capitals',
        { userName: 'BJENSEN@EXAMPLE.COM' },
        { status: 409, answer: { scimType: 'uniqueness' } },
      ),
      {
        name: 'asking for it',
        request: 'GET /Users/{id}?attributes=password',
        status: 200,
        answer: {},
        without: ['password'],
      },
    ],
  },
  {
    name: 'RFC 7643 sections 4.3 and 8.3: the enterprise extension',
    exchanges: [
      creates(
        'the user of the example',
        {
          schemas: [user, enterprise],
          [enterprise]: {
            employeeNumber: '701984',
            costCenter: '4130',
            organization: 'Universal Studios',
            division: 'Theme Park',
            department: 'Tour Operations',
            manager: {
              value: '26118915-6090-4610-87e4-49d8ca9f808d',
              $ref: '../Users/26118915-6090-4610-87e4-49d8ca9f808d',
              displayName: 'John Smith',
            },
          },
        },
        {
          status: 201,
          answer: {
            schemas: [user, enterprise],
            [enterprise]: {
              employeeNumber: '701984',
              costCenter: '4130',
              organization: 'Universal Studios',
              division: 'Theme Park',
              department: 'Tour Operations',
              manager: {
                value: '26118915-6090-4610-87e4-49d8ca9f808d',
                $ref: '{base}/Users/26118915-6090-4610-87e4-49d8ca9f808d',
              },
            },
          },
          remember: { id: 'id' },
        },
      ),
      {
        name: 'its schema',
        request: `GET /Schemas/${enterprise}`,
        status: 200,
        answer: {
          schemas: [schema],
          id: enterprise,
          name: 'EnterpriseUser',
          attributes: [
            { name: 'employeeNumber', type: 'string', required: false, mutability: 'readWrite' },
            { name: 'costCenter' },
            { name: 'organization' },
            { name: 'division' },
            { name: 'department' },
            {
              name: 'manager',
              type: 'complex',
              multiValued: false,
              subAttributes: [
                { name: 'value', type: 'string' },
                { name: '$ref', type: 'reference', referenceTypes: ['User'] },
                { name: 'displayName', mutability: 'readOnly' },
              ],
            },
          ],
        },
      },
      {
        name: 'a PUT without it removes it',
        request: 'PUT /Users/{id}',
        body: minimal,
        status: 200,
        answer: { schemas: [user] },
      },
      {
        name: 'nobody has it then',
        request: `GET /Users?filter=${encodeURIComponent(`${enterprise}:employeeNumber pr or ${enterprise}:manager.value pr`)}`,
        status: 200,
        answer: { totalResults: 0 },
      },
    ],
  },
  {
    name: 'RFC 7643 section 5: ServiceProviderConfig',
    exchanges: [
      {
        name: 'all of it',
        request: 'GET /ServiceProviderConfig',
        headers: { authorization: '' },
        status: 200,
        answer: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
          documentationUri: /^https?:/,
          patch: { supported: true },
          bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1_000_000 },
          filter: { supported: true, maxResults: 100 },
          changePassword: { supported: true },
          sort: { supported: true },
          etag: { supported: false },
          authenticationSchemes: [
            { name: /./, description: /./, specUri: /^https?:/, type: 'oauthbearertoken', primary: false },
          ],
          meta: { resourceType: 'ServiceProviderConfig', location: '{base}/ServiceProviderConfig' },
        },
      },
    ],
  },
  {
    name: 'RFC 7643 section 6: ResourceTypes',
    exchanges: [
      {
        name: 'all of them',
        request: 'GET /ResourceTypes',
        headers: { authorization: '' },
        status: 200,
        answer: { schemas: [list], totalResults: 2, Resources: [{ name: 'User' }, { name: 'Group' }] },
      },
      {
        name: 'the User',
        request: 'GET /ResourceTypes/User',
        headers: { authorization: '' },
        status: 200,
        answer: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          id: 'User',
          name: 'User',
          endpoint: '/Users',
          schema: user,
          meta: { resourceType: 'ResourceType', location: '{base}/ResourceTypes/User' },
        },
      },
    ],
  },
  {
    name: 'RFC 7643 section 7: Schemas',
    exchanges: [
      {
        name: 'all of them',
        request: 'GET /Schemas',
        headers: { authorization: '' },
        status: 200,
        answer: { schemas: [list], Resources: [{ id: user, attributes: [{ name: 'userName' }] }] },
      },
      {
        name: 'the User in detail',
        request: `GET /Schemas/${user}`,
        headers: { authorization: '' },
        status: 200,
        answer: {
          schemas: [schema],
          id: user,
          name: 'User',
          attributes: [
            {
              name: 'userName',
              type: 'string',
              multiValued: false,
              description: /./,
              required: true,
              caseExact: false,
              mutability: 'readWrite',
              returned: 'default',
              uniqueness: 'server',
            },
          ],
          meta: { resourceType: 'Schema', location: `{base}/Schemas/${user}` },
        },
      },
    ],
  },
  {
    name: 'RFC 7643 section 8.2: the full user of the examples',
    exchanges: [
      {
        name: 'is created, but for what the service does not keep',
        request: 'POST /Users',
        body: {
          schemas: [user],
          id: '2819c223-7f76-453a-919d-413861904646',
          externalId: '701984',
          userName: 'bjensen@example.com',
          name: {
            formatted: 'Ms. Barbara J Jensen, III',
            familyName: 'Jensen',
            givenName: 'Barbara',
            middleName: 'Jane',
            honorificPrefix: 'Ms.',
            honorificSuffix: 'III',
          },
          displayName: 'Babs Jensen',
          nickName: 'Babs',
          profileUrl: 'https://login.example.com/bjensen',
          emails: [
            { value: 'bjensen@example.com', type: 'work', primary: true },
            { value: 'babs@jensen.org', type: 'home' },
          ],
          addresses: [
            {
              type: 'work',
              streetAddress: '100 Universal City Plaza',
              locality: 'Hollywood',
              region: 'CA',
              postalCode: '91608',
              country: 'USA',
              formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
              primary: true,
            },
            { type: 'home', streetAddress: '456 Hollywood Blvd', locality: 'Hollywood' },
          ],
          phoneNumbers: [
            { value: '555-555-5555', type: 'work' },
            { value: '555-555-4444', type: 'mobile' },
          ],
          ims: [{ value: 'someaimhandle', type: 'aim' }],
          photos: [
            { value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' },
            { value: 'https://photos.example.com/profilephoto/72930000000Ccne/T', type: 'thumbnail' },
          ],
          userType: 'Employee',
          title: 'Tour Guide',
          preferredLanguage: 'en-US',
          locale: 'en-US',
          timezone: 'America/Los_Angeles',
          active: true,
          password: 't1meMa$heen',
          groups: [{ value: 'e9e30dba-f08f-4109-8486-d5c6a331660a', display: 'Tour Guides' }],
          x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMCVVMx' }],
          meta: { resourceType: 'User', version: 'W/"a330bc54f0671c9"' },
        },
        status: 201,
        answer: {
          externalId: '701984',
          userName: 'bjensen@example.com',
          name: {
            formatted: 'Ms. Barbara J Jensen, III',
            middleName: 'Jane',
            honorificPrefix: 'Ms.',
            honorificSuffix: 'III',
          },
          emails: [
            { type: 'work', primary: true },
            { value: 'babs@jensen.org', type: 'home', primary: false },
          ],
          addresses: [{ locality: 'Hollywood', primary: true }, { streetAddress: '456 Hollywood Blvd' }],
          phoneNumbers: [{ value: '5555555555' }, { value: '5555554444', type: 'mobile' }],
          photos: [{ type: 'photo' }, { type: 'thumbnail' }],
          timezone: 'America/Los_Angeles',
        },
        without: ['password', 'groups', 'x509Certificates'],
      },
    ],
  },
];
