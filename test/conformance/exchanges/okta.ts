import type { Conversation } from '../exchange.js';

/**
 * Okta's provisioning: connection test, import, create, profile push, deactivation and re-activation. Okta documents the requests:
 * https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
 */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const error = 'urn:ietf:params:scim:api:messages:2.0:Error';

const pushed = {
  schemas: [user, enterprise],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
  [enterprise]: { department: 'Sales', manager: {} },
};

const headers = { accept: 'application/scim+json', 'content-type': 'application/scim+json; charset=utf-8' };
const asking = { accept: 'application/scim+json' };

export const okta: readonly Conversation[] = [
  {
    name: 'Okta provisions a user',
    exchanges: [
      {
        name: 'tests the connection',
        request: 'GET /Users?startIndex=1&count=2',
        headers: asking,
        status: 200,
        answer: { schemas: [list], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
      },
      {
        name: 'looks for the user',
        request: 'GET /Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100',
        headers: asking,
        status: 200,
        answer: { schemas: [list], totalResults: 0, Resources: [] },
      },
      {
        name: 'reads a user that does not exist',
        request: 'GET /Users/010101001010101011001010101011',
        headers: asking,
        status: 404,
        answer: { schemas: [error], status: '404', detail: /./ },
      },
      {
        name: 'creates the user, with a random password that is too weak',
        request: 'POST /Users',
        headers,
        body: pushed,
        status: 201,
        answer: {
          schemas: [user],
          id: /./,
          externalId: '00ujl29u0le5T6Aj10h7',
          userName: 'test.user@okta.local',
          name: { givenName: 'Test', familyName: 'User' },
          emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
          displayName: 'Test User',
          locale: 'en-US',
          active: true,
          meta: { resourceType: 'User' },
        },
        without: ['password', 'groups'],
        answerHeaders: { location: /\/Users\/[\w-]+$/ },
        remember: { id: 'id' },
      },
      {
        name: 'creates the user once more',
        request: 'POST /Users',
        headers,
        body: pushed,
        status: 409,
        answer: { schemas: [error], scimType: 'uniqueness', status: '409' },
      },
      {
        name: 'finds the user now',
        request: 'GET /Users?filter=userName%20eq%20%22Test.User%40okta.local%22&startIndex=1&count=100',
        headers: asking,
        status: 200,
        answer: {
          totalResults: 1,
          Resources: [{ id: '{id}', userName: 'test.user@okta.local', active: true }],
        },
      },
      {
        name: 'reads the user before a profile push',
        request: 'GET /Users/{id}',
        headers: asking,
        status: 200,
        answer: { id: '{id}', name: { givenName: 'Test', familyName: 'User' } },
      },
      {
        name: 'pushes the profile by PUT',
        request: 'PUT /Users/{id}',
        headers,
        body: {
          schemas: [user],
          id: '{id}',
          userName: 'test.user@okta.local',
          name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
          emails: [
            { primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' },
            { primary: false, value: 'second@okta.local', type: 'home' },
          ],
          phoneNumbers: [{ primary: true, value: '555-555-5555', type: 'work' }],
          locale: 'en-US',
          externalId: '00ujl29u0le5T6Aj10h7',
          groups: [],
          active: true,
          meta: { resourceType: 'User' },
        },
        status: 200,
        answer: {
          id: '{id}',
          userName: 'test.user@okta.local',
          name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
          displayName: 'Another User',
          emails: [
            { primary: true, value: 'test.user@okta.local', type: 'work' },
            { primary: false, value: 'second@okta.local', type: 'home' },
          ],
          phoneNumbers: [{ primary: true, value: '5555555555', type: 'work' }],
          active: true,
        },
      },
      {
        name: 'deactivates by a PATCH without path',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] },
        status: 204,
      },
      {
        name: 'sees the user inactive, and nothing else changed',
        request: 'GET /Users/{id}',
        headers: asking,
        status: 200,
        answer: { active: false, displayName: 'Another User', name: { middleName: 'Excited' } },
      },
      {
        name: 're-activates the user',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: true } }] },
        status: 204,
      },
      {
        name: 'synchronizes a password',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], Operations: [{ op: 'replace', value: { password: 'Correct-Horse-9' } }] },
        status: 204,
      },
      {
        name: 'deactivates by PUT, as older applications are told to',
        request: 'PUT /Users/{id}',
        headers,
        body: { ...pushed, password: undefined, active: false },
        status: 200,
        answer: { id: '{id}', active: false, displayName: 'Test User' },
        without: ['phoneNumbers', 'name.middleName'],
      },
    ],
  },
  {
    name: 'Okta imports users',
    exchanges: [
      ...['a', 'b', 'c'].map((name) => ({
        name: `somebody made ${name}`,
        request: 'POST /Users',
        body: { ...pushed, userName: `${name}@okta.local`, externalId: undefined, password: undefined },
        status: 201,
      })),
      {
        name: 'asks for the first page',
        request: 'GET /Users?startIndex=1&count=2',
        headers: asking,
        status: 200,
        answer: {
          totalResults: 3,
          startIndex: 1,
          itemsPerPage: 2,
          Resources: [
            {
              id: /./,
              userName: 'a@okta.local',
              name: { givenName: 'Test' },
              emails: [{ primary: true }],
              active: true,
            },
            { userName: 'b@okta.local' },
          ],
        },
      },
      {
        name: 'asks for the next',
        request: 'GET /Users?startIndex=3&count=2',
        headers: asking,
        status: 200,
        answer: {
          totalResults: 3,
          startIndex: 3,
          itemsPerPage: 1,
          Resources: [{ userName: 'c@okta.local' }],
        },
      },
      {
        name: 'imports only what changed',
        request:
          'GET /Users?filter=meta.lastModified%20gt%20%222011-05-13T04%3A42%3A34.000Z%22&startIndex=1&count=100',
        headers: asking,
        status: 200,
        answer: { totalResults: 3 },
      },
    ],
  },
];
