import type { Conversation, Exchange } from '../exchange.js';

/**
 * Requests of further clients, in the forms in which their sources send them, with names of our own:
 * - authentik: https://github.com/goauthentik/authentik/tree/main/authentik/providers/scim/clients
 * - SCIM-SDK: https://github.com/Captain-P-Goldfish/SCIM-SDK, `PatchRequestOperation` and `SearchRequest`
 * - SCIM for Keycloak: https://github.com/mitodl/keycloak-scim
 * - PingOne: https://docs.pingidentity.com/pingone, SCIM outbound
 * - Okta: https://developer.okta.com/docs/guides/scim-provisioning-integration-test, `externalId` as a number
 */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const aUser = (name: string): Exchange => ({
  name: `there is ${name}`,
  request: 'POST /Users',
  body: { schemas: [user], userName: `${name}@example.com`, displayName: name },
  status: 201,
  remember: { [name]: 'id' },
});

const aGroup: Exchange = {
  name: 'creates the group',
  request: 'POST /Groups',
  body: { schemas: [group], displayName: 'Staff', externalId: 'staff' },
  status: 201,
  remember: { group: 'id' },
};

const members = (name: string, ...values: string[]): Exchange => ({
  name,
  request: 'GET /Groups/{group}',
  status: 200,
  ...(values.length > 0 && { answer: { members: values.map((value) => ({ value })) } }),
  without: [values.length === 0 ? 'members' : `members.${values.length}`],
});

export const furtherClients: readonly Conversation[] = [
  {
    name: 'authentik syncs a group: its PATCH has no schemas',
    exchanges: [
      aUser('ann'),
      aGroup,
      {
        name: 'adds the member',
        request: 'PATCH /Groups/{group}',
        body: { Operations: [{ op: 'add', path: 'members', value: [{ value: '{ann}' }] }] },
        status: 204,
      },
      members('it is a member', '{ann}'),
      {
        name: 'removes the member',
        request: 'PATCH /Groups/{group}',
        body: { Operations: [{ op: 'remove', path: 'members', value: [{ value: '{ann}' }] }] },
        status: 204,
      },
      members('it is none'),
    ],
  },
  {
    name: 'SCIM-SDK sends numbers, lists and objects as texts',
    exchanges: [
      aUser('bob'),
      aGroup,
      {
        name: 'finds the user',
        request: 'POST /Users/.search',
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
          startIndex: '1',
          count: '5',
          filter: 'userName eq "bob@example.com"',
          attributes: 'userName,emails.value',
          excludedAttributes: '',
        },
        status: 200,
        answer: { schemas: [list], totalResults: 1, Resources: [{ userName: 'bob@example.com' }] },
        without: ['Resources.0.displayName'],
      },
      {
        name: 'reads the first of all resources',
        request: 'POST /.search',
        body: { count: '1', attributes: '', excludedAttributes: 'displayName, meta' },
        status: 200,
        answer: { totalResults: 2, itemsPerPage: 1, Resources: [{ id: '{bob}' }] },
        without: ['Resources.0.displayName', 'Resources.0.meta'],
      },
      {
        name: 'changes the user by the text of an object in a list',
        request: 'PATCH /Users/{bob}',
        body: {
          schemas: [patchOp],
          Operations: [
            { op: 'replace', value: ['{"displayName":"Bob","name":{"givenName":"Bob"}}'] },
            { op: 'add', path: 'emails', value: ['{"value":"b@example.com","type":"work"}'] },
          ],
        },
        status: 204,
      },
      {
        name: 'it has both',
        request: 'GET /Users/{bob}',
        status: 200,
        answer: { displayName: 'Bob', name: { givenName: 'Bob' }, emails: [{ value: 'b@example.com' }] },
      },
      {
        name: 'adds the member by its text',
        request: 'PATCH /Groups/{group}',
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'add', path: 'members', value: ['{"value":"{bob}","type":"User"}'] }],
        },
        status: 204,
      },
      members('it is a member', '{bob}'),
    ],
  },
  {
    name: 'SCIM for Keycloak sends JSON texts',
    exchanges: [
      aUser('cleo'),
      aGroup,
      {
        name: 'renames the group',
        request: 'PATCH /Groups/{group}',
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'replace', value: '{"displayName":"EPD"}' }],
        },
        status: 204,
      },
      {
        name: 'names the manager',
        request: 'PATCH /Users/{cleo}',
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'replace', path: `${enterprise}:manager`, value: '{"value":"{cleo}"}' }],
        },
        status: 204,
      },
      {
        name: 'the manager is the one that it meant',
        request: 'GET /Users/{cleo}',
        status: 200,
        answer: { [enterprise]: { manager: { value: '{cleo}', displayName: 'cleo' } } },
      },
      {
        name: 'the group has the name',
        request: 'GET /Groups/{group}',
        status: 200,
        answer: { displayName: 'EPD' },
      },
    ],
  },
  {
    name: 'PingOne sends a list of languages, Okta a number',
    exchanges: [
      {
        name: 'creates the user',
        request: 'POST /Users',
        body: {
          schemas: [user],
          userName: 'dora@example.com',
          externalId: 701984,
          preferredLanguage: 'da, en-gb;q=0.8, en;q=0.7',
        },
        status: 201,
        answer: { externalId: '701984', preferredLanguage: 'da, en-gb;q=0.8, en;q=0.7' },
        remember: { dora: 'id' },
      },
      {
        name: 'finds it by both',
        request:
          'GET /Users?filter=externalId+eq+%22701984%22+and+preferredLanguage+eq+%22da,+en-gb;q%3D0.8,+en;q%3D0.7%22',
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{dora}' }] },
      },
      {
        name: 'replaces the user, with its attributes under the URN of the schema',
        request: 'PUT /Users/{dora}',
        body: { schemas: [user], [user]: { userName: 'dora@example.com', title: 'Chief', active: false } },
        status: 200,
        answer: { title: 'Chief', active: false, preferredLanguage: 'en' },
        without: ['externalId'],
      },
    ],
  },
];
