import type { Conversation, Exchange } from '../exchange.js';

/**
 * Groups as provisioning clients push them, each in its own way. Paths, operations and members of the requests are those that the clients'
 * makers document, with names of our own:
 * - Entra: https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
 * - Okta: https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
 */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const entraGroup = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const error = 'urn:ietf:params:scim:api:messages:2.0:Error';
const headers = { 'content-type': 'application/scim+json; charset=utf-8' };

const aUser = (name: string): Exchange => ({
  name: `there is ${name}`,
  request: 'POST /Users',
  body: { schemas: [user], userName: `${name}@contoso.com`, displayName: name },
  status: 201,
  remember: { [name]: 'id' },
});

const patch = (name: string, ...Operations: unknown[]): Exchange => ({
  name,
  request: 'PATCH /Groups/{id}',
  headers,
  body: { schemas: [patchOp], Operations },
  status: 204,
});

const memberCount = (name: string, ...members: string[]): Exchange => ({
  name,
  request: 'GET /Groups/{id}',
  status: 200,
  ...(members.length > 0 && { answer: { members: members.map((value) => ({ value })) } }),
  without: [members.length === 0 ? 'members' : `members.${members.length}`],
});

export const groups: readonly Conversation[] = [
  {
    name: 'Entra provisions a group',
    exchanges: [
      aUser('ann'),
      aUser('bob'),
      {
        name: 'looks for the group without its members',
        request: 'GET /Groups?excludedAttributes=members&filter=displayName+eq+%22displayName%22',
        status: 200,
        answer: { schemas: [list], totalResults: 0, Resources: [] },
      },
      {
        name: 'creates the group, with a schema of its own',
        request: 'POST /Groups',
        headers,
        body: {
          schemas: [group, entraGroup],
          externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
          displayName: 'displayName',
          meta: { resourceType: 'Group' },
        },
        status: 201,
        answer: {
          schemas: [group],
          externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
          displayName: 'displayName',
          meta: { resourceType: 'Group', location: /\/Groups\// },
        },
        remember: { id: 'id' },
      },
      {
        name: 'reads it without its members',
        request: 'GET /Groups/{id}?excludedAttributes=members',
        status: 200,
        answer: { id: '{id}', displayName: 'displayName' },
        without: ['members'],
      },
      {
        name: 'finds it again',
        request: 'GET /Groups?excludedAttributes=members&filter=displayName+eq+%22DISPLAYNAME%22',
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{id}' }] },
      },
      patch('renames it', {
        op: 'Replace',
        path: 'displayName',
        value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName',
      }),
      patch('adds a member', { op: 'Add', path: 'members', value: [{ $ref: null, value: '{ann}' }] }),
      patch('adds another', { op: 'Add', path: 'members', value: [{ $ref: null, value: '{bob}' }] }),
      patch('adds the first again', { op: 'Add', path: 'members', value: [{ $ref: null, value: '{ann}' }] }),
      {
        name: 'asks whether a user is a member',
        request: 'GET /Groups?attributes=id&filter=id+eq+%22{id}%22+and+members%5Bvalue+eq+%22{ann}%22%5D',
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{id}' }] },
        without: ['Resources.0.displayName'],
      },
      patch('removes a member by a list', {
        op: 'Remove',
        path: 'members',
        value: [{ $ref: null, value: '{ann}' }],
      }),
      memberCount('the other stays', '{bob}'),
      patch('removes the other by a value path', { op: 'Remove', path: 'members[value eq "{bob}"]' }),
      memberCount('nobody is left'),
      patch('removes one who is gone', { op: 'Remove', path: 'members', value: [{ value: '{bob}' }] }),
      {
        name: 'is refused a second group of the name',
        request: 'POST /Groups',
        headers,
        body: { schemas: [group], displayName: '1879DB59-3bdf-4490-ad68-ab880a269474updatedDisplayName' },
        status: 409,
        answer: { schemas: [error], scimType: 'uniqueness', status: '409' },
      },
      { name: 'deletes it', request: 'DELETE /Groups/{id}', status: 204 },
      {
        name: 'it is gone',
        request: 'GET /Groups/{id}',
        status: 404,
        answer: { schemas: [error], status: '404' },
      },
    ],
  },
  {
    name: 'Okta pushes a group',
    exchanges: [
      aUser('ann'),
      aUser('bob'),
      {
        name: 'reads the first groups',
        request: 'GET /Groups?startIndex=1&count=100',
        status: 200,
        answer: { schemas: [list], totalResults: 0, startIndex: 1 },
      },
      {
        name: 'creates the group with a member',
        request: 'POST /Groups',
        headers,
        body: {
          schemas: [group],
          displayName: 'Test SCIMv2',
          members: [{ value: '{ann}', display: 'ann@contoso.com' }],
        },
        status: 201,
        answer: { displayName: 'Test SCIMv2', members: [{ value: '{ann}' }] },
        remember: { id: 'id' },
      },
      patch('renames it without a path', {
        op: 'replace',
        value: { id: '{id}', displayName: 'Renamed SCIMv2' },
      }),
      patch(
        'removes and adds in one request',
        { op: 'remove', path: 'members[value eq "{ann}"]' },
        { op: 'add', path: 'members', value: [{ value: '{bob}', display: 'bob@contoso.com' }] },
      ),
      memberCount('the exchange took place', '{bob}'),
      {
        name: 'replaces the whole group',
        request: 'PUT /Groups/{id}',
        headers,
        body: {
          schemas: [group],
          id: '{id}',
          displayName: 'Renamed SCIMv2',
          members: [
            { value: '{ann}', display: 'ann@contoso.com' },
            { value: '{bob}', display: 'bob@contoso.com' },
          ],
        },
        status: 200,
        answer: { id: '{id}', displayName: 'Renamed SCIMv2', members: [{}, {}] },
      },
      {
        name: 'empties it',
        request: 'PUT /Groups/{id}',
        headers,
        body: { schemas: [group], id: '{id}', displayName: 'Renamed SCIMv2', members: [] },
        status: 200,
        without: ['members'],
      },
      patch('replaces the members', {
        op: 'replace',
        path: 'members',
        value: [{ value: '{bob}', display: 'bob@contoso.com' }],
      }),
      memberCount('only they are left', '{bob}'),
      {
        name: 'is refused a member that nobody knows, and nothing of the request is applied',
        request: 'PATCH /Groups/{id}',
        headers,
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'remove', path: 'members[value eq "{bob}"]' },
            { op: 'add', path: 'members', value: [{ value: 'a-user-of-nobody' }] },
          ],
        },
        status: 400,
        answer: { scimType: 'invalidValue' },
      },
      memberCount('the member is still there', '{bob}'),
      { name: 'deletes it', request: 'DELETE /Groups/{id}', status: 204 },
    ],
  },
  {
    name: 'OneLogin maps roles to groups',
    exchanges: [
      aUser('ann'),
      {
        name: 'creates the group with a legacy schema',
        request: 'POST /Groups',
        body: { schemas: ['urn:scim:schemas:core:2.0'], displayName: 'Role', members: [] },
        status: 201,
        remember: { id: 'id' },
      },
      { name: 'lists the groups', request: 'GET /Groups', status: 200, answer: { totalResults: 1 } },
      patch('adds a member', { op: 'add', path: 'members', value: [{ value: '{ann}' }] }),
      {
        name: 'finds the groups of the user',
        request: 'GET /Groups?filter=members.value+eq+%22{ann}%22',
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{id}' }] },
      },
      {
        name: 'reads the user with its groups',
        request: 'GET /Users/{ann}',
        status: 200,
        answer: { groups: [{ value: '{id}', display: 'Role', type: 'direct' }] },
      },
      patch('removes the member', { op: 'remove', path: 'members', value: [{ value: '{ann}' }] }),
      memberCount('nobody is left'),
    ],
  },
];
