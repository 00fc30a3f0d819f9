import type { Example } from '#src/http/base/description.js';
import { urns } from '../protocol/urns.js';

const anna = {
  schemas: [urns.user, urns.enterpriseUser],
  userName: 'anna.lind',
  externalId: '00u1a2b3c4',
  name: { givenName: 'Anna', familyName: 'Lind' },
  preferredLanguage: 'sv',
  timezone: 'Europe/Stockholm',
  active: true,
  emails: [{ value: 'anna.lind@example.com', type: 'work', primary: true }],
  phoneNumbers: [{ value: '+46 8 123 456', type: 'work' }],
  [urns.enterpriseUser]: { employeeNumber: '701984', department: 'Sales' },
};

/** Examples of bodies by the name of their operation. A test sends each of them. */
export const examples = {
  createUser: {
    minimal: {
      summary: 'A user with a login name alone',
      value: { schemas: [urns.user], userName: 'jon.dahl' },
    },
    employee: { summary: 'An employee with a password', value: { ...anna, password: 'Correct-Horse-7' } },
  },
  replaceUser: { employee: { summary: 'An employee', value: anna } },
  patchUser: {
    deactivate: {
      summary: 'Deactivate the user',
      value: { schemas: [urns.patchOp], Operations: [{ op: 'replace', path: 'active', value: false }] },
    },
    several: {
      summary: 'Change several attributes at once',
      value: {
        schemas: [urns.patchOp],
        Operations: [
          { op: 'replace', value: { title: 'Engineer', 'name.familyName': 'Berg' } },
          { op: 'add', path: 'emails', value: [{ value: 'anna@home.example', type: 'home' }] },
          { op: 'remove', path: 'phoneNumbers[type eq "work"]' },
        ],
      },
    },
  },
  createGroup: {
    empty: {
      summary: 'A group without members',
      value: { schemas: [urns.group], displayName: 'Sales' },
    },
  },
  replaceGroup: {
    renamed: {
      summary: 'Another name, and no members',
      value: { schemas: [urns.group], displayName: 'Sales and marketing', members: [] },
    },
  },
  patchGroup: {
    rename: {
      summary: 'Rename the group',
      value: {
        schemas: [urns.patchOp],
        Operations: [{ op: 'replace', path: 'displayName', value: 'Support' }],
      },
    },
  },
  search: {
    byName: {
      summary: 'The first ten whose name begins with A',
      value: { schemas: [urns.searchRequest], filter: 'displayName sw "A"', startIndex: 1, count: 10 },
    },
  },
  poll: {
    first: { summary: 'The first ten tokens', value: { maxEvents: 10, returnImmediately: true } },
  },
  bulk: {
    userInGroup: {
      summary: 'A new user in a new group',
      value: {
        schemas: [urns.bulkRequest],
        failOnErrors: 1,
        Operations: [
          {
            method: 'POST',
            path: '/Users',
            bulkId: 'maria',
            data: { schemas: [urns.user], userName: 'maria.berg' },
          },
          {
            method: 'POST',
            path: '/Groups',
            bulkId: 'nurses',
            data: { schemas: [urns.group], displayName: 'Nurses', members: [{ value: 'bulkId:maria' }] },
          },
        ],
      },
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Example>>>>;
