import type { Conversation } from '../exchange.js';

/** OneLogin's provisioning, which replaces users whole and says what is empty. */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const headers = { 'content-type': 'application/json', accept: 'application/json' };
const asking = { accept: 'application/json' };

export const oneLogin: readonly Conversation[] = [
  {
    name: 'OneLogin provisions a user',
    exchanges: [
      {
        name: 'reads what the service supports',
        request: 'GET /ServiceProviderConfig',
        headers: asking,
        status: 200,
        answer: { patch: { supported: true }, filter: { supported: true, maxResults: 100 } },
      },
      {
        name: 'looks for the user',
        request: 'GET /Users?filter=userName%20eq%20%22vshabalina%40example.com%22',
        headers: asking,
        status: 200,
        answer: { schemas: [list], totalResults: 0, Resources: [] },
      },
      {
        name: 'creates the user',
        request: 'POST /Users',
        headers,
        body: {
          schemas: ['urn:scim:schemas:core:2.0'],
          userName: 'vshabalina@example.com',
          active: true,
          externalId: '12345678',
          name: { familyName: 'Shabalina', givenName: 'Vera', formatted: 'Vera Shabalina' },
          displayName: '',
          title: null,
          emails: [{ value: 'vshabalina@example.com', type: 'work', primary: true }],
          phoneNumbers: [],
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
            department: null,
            manager: { value: '' },
          },
        },
        status: 201,
        answer: {
          userName: 'vshabalina@example.com',
          displayName: 'Vera Shabalina',
          externalId: '12345678',
          active: true,
        },
        without: ['title', 'phoneNumbers'],
        answerHeaders: { location: /\/Users\// },
        remember: { id: 'id' },
      },
      {
        name: 'replaces the user',
        request: 'PUT /Users/{id}',
        headers,
        body: {
          schemas: [user],
          id: '{id}',
          userName: 'vshabalina@example.com',
          externalId: '12345678',
          active: true,
          name: { familyName: 'Shabalina', givenName: 'Vera' },
          title: 'Engineer',
          emails: [{ value: 'vshabalina@example.com', type: 'work', primary: true }],
          phoneNumbers: [{ value: '+1 (555) 0100', type: 'work' }],
          groups: [],
        },
        status: 200,
        answer: { id: '{id}', title: 'Engineer', phoneNumbers: [{ value: '+15550100', type: 'work' }] },
      },
      {
        name: 'suspends the user',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], operations: [{ op: 'replace', path: 'active', value: false }] },
        status: 204,
      },
      {
        name: 'sees the suspension',
        request: 'GET /Users/{id}',
        headers: asking,
        status: 200,
        answer: { active: false, title: 'Engineer' },
      },
      {
        name: 'replaces a suspended user without saying whether it is active',
        request: 'PUT /Users/{id}',
        headers,
        body: {
          schemas: [user],
          userName: 'vshabalina@example.com',
          name: { familyName: 'Shabalina', givenName: 'Vera' },
          emails: [{ value: 'vshabalina@example.com' }],
        },
        status: 200,
        answer: { active: false, emails: [{ value: 'vshabalina@example.com', primary: true }] },
        without: ['title', 'phoneNumbers', 'externalId', 'emails.0.type'],
      },
      { name: 'deletes the user', request: 'DELETE /Users/{id}', headers: asking, status: 204 },
      {
        name: 'sees it gone',
        request: 'GET /Users/{id}',
        headers: asking,
        status: 404,
        answer: { status: '404' },
      },
    ],
  },
];
