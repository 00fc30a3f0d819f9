import { objectName, usableText } from '#src/directory/index.js';
import { urns } from '../protocol/urns.js';
import { type Attribute, attribute } from './attribute.js';
import { commonAttributes } from './common-attributes.js';
import { resourceSchema } from './resource-schema.js';
import { foldedText, relation } from './search-rule.js';

/** The most members in one body. Further ones can be added by PATCH. */
export const mostMembers = 200_000;

/** Every attribute of the Group schema (RFC 7643 section 4.2). */
const groupAttributes: readonly Attribute[] = [
  attribute('displayName', 'Name of the group, unique within the organization.', {
    required: true,
    shape: objectName,
    uniqueness: 'server',
    search: foldedText('displayName', {
      sortField: 'search.displayName',
      trimmed: true,
    }),
  }),
  attribute('members', 'Users of the organization who belong to the group.', {
    type: 'complex',
    multiValued: true,
    most: mostMembers,
    bareValue: true,
    refusesIncomplete: true,
    search: relation('members'),
    subAttributes: [
      attribute('value', 'Identifier of the user.', {
        required: true,
        caseExact: true,
        mutability: 'immutable',
        shape: { ...usableText, minLength: 1 },
        search: relation('members'),
      }),
      attribute('$ref', 'URL of the user. The service makes it of the value.', {
        type: 'reference',
        caseExact: true,
        mutability: 'immutable',
        isMade: true,
        referenceTypes: ['User'],
      }),
      attribute('type', 'Kind of member.', {
        mutability: 'immutable',
        shape: { pattern: '^[Uu][Ss][Ee][Rr]$' },
        canonicalValues: ['User'],
      }),
      attribute('display', 'displayName of the user.', { mutability: 'readOnly' }),
    ],
  }),
];

/** The Group schema with the attributes that every resource has. */
export const groupSchema = resourceSchema({
  name: 'Group',
  urn: urns.group,
  // SCIM 1.1 and early drafts of SCIM 2.0 spell it otherwise.
  urnPattern: 'urn:(?:ietf:params:)?scim:schemas:core:[12]\\.0(?::group)?',
  common: commonAttributes,
  core: groupAttributes,
  extensions: [],
});
