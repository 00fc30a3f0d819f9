import type { Conversation, Exchange } from '../exchange.js';

/** What the IPSIE profile of SCIM (draft-openid-ipsie-al-scim-profile-00) demands of an application, level by level. */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const error = 'urn:ietf:params:scim:api:messages:2.0:Error';

const body = {
  schemas: [user],
  userName: 'anna@example.com',
  displayName: 'Anna',
  externalId: 'ext-anna',
  active: true,
  emails: [
    { value: 'anna@work.example', type: 'work', primary: true },
    { value: 'anna@home.example', type: 'home' },
  ],
};

const create = (name: string, userName: string, remembered: string): Exchange => ({
  name,
  request: 'POST /Users',
  body: { ...body, userName, externalId: `ext-${remembered}` },
  status: 201,
  answer: { userName, displayName: 'Anna', active: true, externalId: `ext-${remembered}` },
  remember: { [remembered]: 'id' },
});

const finds = (type: 'Users' | 'Groups', filter: string, total: number): Exchange => ({
  name: `finds ${total} by ${filter}`,
  request: `GET /${type}?${new URLSearchParams({ filter })}`,
  status: 200,
  answer: { totalResults: total },
});

const patch = (name: string, path: string, ...Operations: unknown[]): Exchange => ({
  name,
  request: `PATCH ${path}`,
  body: { schemas: [patchOp], Operations },
  status: 204,
});

const fifty = Array.from({ length: 50 }, (_, n) => n);

export const ipsie: readonly Conversation[] = [
  {
    name: 'IPSIE AL1: a user is found, deactivated, reactivated and deleted',
    exchanges: [
      create('there is a user', 'anna@example.com', 'anna'),
      { name: 'reads it', request: 'GET /Users/{anna}', status: 200, answer: { id: '{anna}' } },
      finds('Users', 'username eq "anna@example.com"', 1),
      finds('Users', 'externalId eq "ext-anna"', 1),
      finds('Users', 'emails[value eq "anna@home.example"]', 1),
      finds('Users', 'emails[type eq "work" and value eq "anna@work.example"]', 1),
      finds('Users', 'emails[type eq "work" and value eq "anna@home.example"]', 0),
      patch('deactivates it', '/Users/{anna}', { op: 'replace', path: 'active', value: false }),
      { name: 'it is inactive', request: 'GET /Users/{anna}', status: 200, answer: { active: false } },
      patch('reactivates it', '/Users/{anna}', { op: 'replace', path: 'active', value: true }),
      { name: 'it is active', request: 'GET /Users/{anna}', status: 200, answer: { active: true } },
      { name: 'deletes it', request: 'DELETE /Users/{anna}', status: 204 },
      {
        name: 'it is gone',
        request: 'GET /Users/{anna}',
        status: 404,
        answer: { schemas: [error], status: '404' },
      },
      create('makes a new user with the same userName', 'anna@example.com', 'again'),
    ],
  },
  {
    name: 'IPSIE AL2: users and groups are provisioned',
    exchanges: [
      create('creates a user without a password', 'anna@example.com', 'anna'),
      create('and another', 'bob@example.com', 'bob'),
      patch(
        'changes several attributes by one request',
        '/Users/{anna}',
        { op: 'replace', path: 'displayName', value: 'Anna Lind' },
        { op: 'replace', path: 'userName', value: 'anna.lind@example.com' },
        { op: 'add', path: 'title', value: 'Lead' },
      ),
      {
        name: 'all of them changed',
        request: 'GET /Users/{anna}',
        status: 200,
        answer: { displayName: 'Anna Lind', userName: 'anna.lind@example.com', title: 'Lead' },
      },
      { name: 'lists all users', request: 'GET /Users', status: 200, answer: { totalResults: 2 } },
      {
        name: 'creates a group without members',
        request: 'POST /Groups',
        body: { schemas: [group], displayName: 'Staff', externalId: 'ext-staff' },
        status: 201,
        remember: { staff: 'id' },
      },
      {
        name: 'another group with this name is refused',
        request: 'POST /Groups',
        body: { schemas: [group], displayName: 'staff' },
        status: 409,
        answer: { scimType: 'uniqueness' },
      },
      patch(
        'adds and removes members by 50 operations of one request',
        '/Groups/{staff}',
        ...fifty.map((n) => ({ op: 'add', path: 'members', value: [{ value: n % 2 ? '{anna}' : '{bob}' }] })),
        ...fifty.map(() => ({ op: 'remove', path: 'members[value eq "{bob}"]' })),
      ),
      {
        name: 'the last operation counts',
        request: 'GET /Groups/{staff}',
        status: 200,
        answer: { members: [{ value: '{anna}' }] },
        without: ['members.1'],
      },
      finds('Groups', 'displayName eq "Staff"', 1),
      finds('Groups', 'externalId eq "ext-staff"', 1),
      {
        name: 'finds the groups of a user',
        request: 'GET /Groups?filter=members%5Bvalue+eq+%22{anna}%22%5D&excludedAttributes=members',
        status: 200,
        answer: { totalResults: 1, Resources: [{ id: '{staff}' }] },
      },
      {
        name: 'changes several resources by a Bulk',
        request: 'POST /Bulk',
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations: [
            { method: 'DELETE', path: '/Users/{bob}' },
            { method: 'DELETE', path: '/Groups/{staff}' },
          ],
        },
        status: 200,
        answer: { Operations: [{ status: '204' }, { status: '204' }] },
      },
    ],
  },
];
