import type { Conversation } from '../exchange.js';

/**
 * Microsoft Entra's provisioning service, with its mixed-case ops, string booleans and value paths. Microsoft documents the requests:
 * https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
 */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const error = 'urn:ietf:params:scim:api:messages:2.0:Error';

const headers = { 'content-type': 'application/scim+json; charset=utf-8', accept: '' };
const asking = { accept: '' };

export const entra: readonly Conversation[] = [
  {
    name: 'Entra provisions a user',
    exchanges: [
      {
        name: 'tests the connection with a user that nobody is',
        request: 'GET /Users?filter=userName+eq+%22non-existing-7e6a39b3%22',
        headers: asking,
        status: 200,
        answer: { schemas: [list], totalResults: 0, Resources: [] },
      },
      {
        name: 'reads the schemas',
        request: 'GET /Schemas',
        headers: asking,
        status: 200,
        answer: { schemas: [list], Resources: [{ id: user, name: 'User' }] },
      },
      {
        name: 'looks for the user',
        request: 'GET /Users?filter=userName+eq+%22Test_User_ab6490ee%40contoso.com%22',
        headers: asking,
        status: 200,
        answer: { totalResults: 0 },
      },
      {
        name: 'creates the user',
        request: 'POST /Users',
        headers,
        body: {
          schemas: [user, enterprise],
          externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
          userName: 'Test_User_ab6490ee@contoso.com',
          active: true,
          displayName: 'Test User',
          emails: [{ primary: true, type: 'work', value: 'test_user@contoso.com' }],
          meta: { resourceType: 'User' },
          name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
          addresses: [{ type: 'work', streetAddress: '1 Way', locality: 'Redmond', primary: true }],
          [enterprise]: { employeeNumber: '1' },
          roles: [],
        },
        status: 201,
        answer: {
          schemas: [user, enterprise],
          [enterprise]: { employeeNumber: '1' },
          id: /./,
          externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
          userName: 'Test_User_ab6490ee@contoso.com',
          active: true,
          displayName: 'Test User',
          name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
          emails: [{ primary: true, type: 'work', value: 'test_user@contoso.com' }],
          meta: { resourceType: 'User', created: /^\d{4}-/, lastModified: /^\d{4}-/, location: /\/Users\// },
        },
        without: ['roles'],
        answerHeaders: { 'content-type': /^application\/scim\+json/, location: /\/Users\// },
        remember: { id: 'id' },
      },
      {
        name: 'finds the user in another letter case',
        request: 'GET /Users?filter=userName+eq+%22test_user_AB6490EE%40contoso.com%22',
        headers: asking,
        status: 200,
        answer: { totalResults: 1, itemsPerPage: 1, startIndex: 1, Resources: [{ id: '{id}' }] },
      },
      {
        name: 'finds the user by externalId',
        request: 'GET /Users?filter=externalId+eq+%220a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef%22',
        headers: asking,
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{id}' }] },
      },
      {
        name: 'finds the user by work address',
        request: 'GET /Users?filter=emails%5Btype+eq+%22work%22%5D.value+eq+%22TEST_user%40contoso.com%22',
        headers: asking,
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{id}' }] },
      },
      {
        name: 'reads the user without some attributes',
        request: 'GET /Users/{id}?excludedAttributes=members',
        headers: asking,
        status: 200,
        answer: { id: '{id}' },
      },
      {
        name: 'changes several attributes',
        request: 'PATCH /Users/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
            { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
            { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 555 8377' },
            { op: 'Replace', path: 'displayName', value: 'Updated Name' },
            { op: 'Add', path: 'addresses[type eq "work"].country', value: 'US' },
            { op: 'Add', path: 'title', value: 'Engineer' },
          ],
        },
        status: 204,
      },
      {
        name: 'reads what it changed',
        request: 'GET /Users/{id}',
        headers: asking,
        status: 200,
        answer: {
          emails: [{ type: 'work', value: 'updatedEmail@microsoft.com', primary: true }],
          name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
          displayName: 'Updated Name',
          phoneNumbers: [{ type: 'mobile', value: '+15555558377' }],
          addresses: [{ type: 'work', streetAddress: '1 Way', country: 'US' }],
          title: 'Engineer',
        },
      },
      {
        name: 'changes attributes without a path, some of an extension',
        request: 'PATCH /Users/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            {
              op: 'Add',
              value: {
                'name.givenName': 'dotted',
                preferredLanguage: 'de',
                [`${enterprise}:department`]: 'Sales',
              },
            },
            { op: 'Add', path: `${enterprise}:employeeNumber`, value: '7' },
          ],
        },
        status: 204,
      },
      {
        name: 'sends a single role, then another, and a part that nobody knows',
        request: 'PATCH /Users/{id}?attributes=roles,emails',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Reader' },
            { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Writer' },
            { op: 'Add', path: 'roles[primary eq "True"].display', value: 'Writes' },
            { op: 'Add', path: 'emails[type eq "work"].verifiedAt', value: 'x' },
          ],
        },
        status: 200,
        answer: {
          roles: [{ value: 'Writer', display: 'Writes', primary: true }],
          emails: [{ type: 'work', value: 'updatedEmail@microsoft.com', primary: true }],
        },
      },
      {
        name: 'changes the full name after the display name',
        request: 'PATCH /Users/{id}?attributes=displayName,name.formatted',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'Replace', path: 'name.formatted', value: 'dotted updatedFamilyName' }],
        },
        status: 200,
        answer: { displayName: 'Updated Name', name: { formatted: 'dotted updatedFamilyName' } },
      },
      {
        name: 'changes the userName',
        request: 'PATCH /Users/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'Replace', path: 'userName', value: '5b50642d@contoso.com' }],
        },
        status: 204,
      },
      {
        name: 'removes a phone number by a value list',
        request: 'PATCH /Users/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'Remove', path: 'phoneNumbers', value: [{ value: '+1 555 555 8377' }] }],
        },
        status: 204,
      },
      {
        name: 'removes a title that is empty now',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], Operations: [{ op: 'Remove', path: 'title' }] },
        status: 204,
      },
      {
        name: 'disables the user with a string',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
        status: 204,
      },
      {
        name: 'unassigns the flag of a disabled user, and sends a work address that it cannot map',
        request: 'PATCH /Users/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'Remove', path: 'active' },
            { op: 'Replace', path: 'active', value: '' },
            { op: 'Add', value: { active: null } },
            { op: 'Replace', path: 'addresses[type eq "work"]', value: { room: '7' } },
            { op: 'Replace', path: 'emails[type eq "work"]', value: {} },
          ],
        },
        status: 204,
      },
      {
        name: 'reads the user that it disabled',
        request: 'GET /Users/{id}',
        headers: asking,
        status: 200,
        answer: {
          id: '{id}',
          active: false,
          userName: '5b50642d@contoso.com',
          name: { givenName: 'dotted', familyName: 'updatedFamilyName' },
          preferredLanguage: 'de',
          emails: [{ type: 'work', value: 'updatedEmail@microsoft.com', primary: true }],
          addresses: [{ type: 'work', streetAddress: '1 Way', country: 'US' }],
          [enterprise]: { department: 'Sales', employeeNumber: '7' },
        },
        without: ['phoneNumbers', 'title'],
      },
      {
        name: 'sends a manager whom it has not provisioned yet, as a text',
        request: 'PATCH /Users/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'Add', path: `${enterprise}:manager`, value: 'not-yet-there' },
            { op: 'Replace', path: `${enterprise}:costCenter`, value: '4130' },
            { op: 'Remove', path: `${enterprise}:department` },
          ],
        },
        status: 204,
      },
      {
        name: 'finds the user by employee number and by manager',
        request: `GET /Users?filter=${encodeURIComponent(`${enterprise}:employeeNumber eq "7" and ${enterprise}:manager.value eq "not-yet-there"`)}&attributes=${enterprise}`,
        headers: asking,
        status: 200,
        answer: {
          totalResults: 1,
          Resources: [
            {
              id: '{id}',
              [enterprise]: {
                employeeNumber: '7',
                costCenter: '4130',
                manager: { value: 'not-yet-there', $ref: '{base}/Users/not-yet-there' },
              },
            },
          ],
        },
        without: ['Resources.0.userName'],
      },
      {
        name: 'names the manager by the older form, and then as an object',
        request: `PATCH /Users/{id}?attributes=${enterprise}:manager`,
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: null, value: 'other' }] },
            { op: 'Replace', path: `${enterprise}:manager`, value: { value: '{id}', displayName: 'Me' } },
          ],
        },
        status: 200,
        answer: { [enterprise]: { manager: { value: '{id}', displayName: 'Updated Name' } } },
      },
      {
        name: 'unassigns the manager with an empty text',
        request: `PATCH /Users/{id}?attributes=${enterprise}`,
        headers,
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'Replace', path: `${enterprise}:manager`, value: '' }],
        },
        status: 200,
        answer: { [enterprise]: { employeeNumber: '7' } },
      },
      {
        name: 'disables another time, as the older form of the client wraps values',
        request: 'PATCH /Users/{id}?attributes=active,displayName',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] },
            { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Wrapped' }] },
          ],
        },
        status: 200,
        answer: { id: '{id}', active: false, displayName: 'Wrapped' },
      },
      {
        name: 'restores the user',
        request: 'PATCH /Users/{id}',
        headers,
        body: { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'True' }] },
        status: 204,
      },
      {
        name: 'deletes the user for good, with a media type for no body',
        request: 'DELETE /Users/{id}',
        headers,
        status: 204,
      },
      {
        name: 'deletes the user again',
        request: 'DELETE /Users/{id}',
        headers: asking,
        status: 404,
        answer: { schemas: [error], status: '404' },
      },
    ],
  },
];
