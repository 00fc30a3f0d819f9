import {
  birthdate,
  emailAddress,
  languageTag,
  loginName,
  longText,
  personName,
  preferredLanguages,
  usualPassword,
  webAddress,
} from '#src/directory/index.js';
import { urns } from '../protocol/urns.js';
import { type Attribute, attribute } from './attribute.js';
import { commonAttributes } from './common-attributes.js';
import { enterpriseUser } from './enterprise-attributes.js';
import { type ResourceSchema, resourceSchema } from './resource-schema.js';
import {
  activeFlag,
  foldAddress,
  foldedText,
  foldLanguage,
  foldPartOfPhone,
  foldPhone,
  foldWholeLanguage,
  foldWholePhone,
  relation,
} from './search-rule.js';

const primary = attribute('primary', 'Whether this is the preferred value; true at most once.', {
  type: 'boolean',
});
const display = attribute('display', 'A name for people to read.');

/** Examples of the form. Every other tag is accepted too. */
const languageTags = ['de', 'en', 'en-US', 'fr-CH', 'zh-Hant-TW'];

function typed(...canonicalValues: string[]): Attribute {
  return attribute('type', 'What the value is for.', canonicalValues.length === 0 ? {} : { canonicalValues });
}

const emailSearch = foldedText('emails', {
  fold: foldAddress,
  sortField: 'search.primaryEmail',
});
const phoneSearch = foldedText('phoneNumbers', {
  fold: foldPhone,
  foldWhole: foldWholePhone,
  foldPart: foldPartOfPhone,
});

/**
 * Every attribute of the User schema (RFC 7643 section 4.1) that this service stores. The published schema, the validation
 * of resources, PATCH paths, filters and sorting all use this table.
 */
export const userAttributes: readonly Attribute[] = [
  attribute('userName', 'Login name, unique within the organization.', {
    required: true,
    uniqueness: 'server',
    shape: loginName,
    search: foldedText('userName', {
      sortField: 'search.userName',
      trimmed: true,
    }),
  }),
  attribute('name', 'The parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The full name; displayName when only other parts are given.', {
        shape: personName,
      }),
      attribute('familyName', 'Family name.', {
        shape: personName,
        search: foldedText('familyName', { sortField: 'search.familyName' }),
      }),
      attribute('givenName', 'Given name.', {
        shape: personName,
        search: foldedText('givenName', { sortField: 'search.givenName' }),
      }),
      attribute('middleName', 'Middle names.', { shape: personName }),
      attribute('honorificPrefix', 'Title before the name.', { shape: personName }),
      attribute('honorificSuffix', 'Suffix after the name.', { shape: personName }),
    ],
  }),
  attribute('displayName', 'The name as it is shown; made of the name when absent, or else userName.', {
    shape: personName,
    search: foldedText('displayName'),
  }),
  attribute('nickName', 'Casual name.', { shape: personName, search: foldedText('nickName') }),
  attribute('profileUrl', 'URL of a page about the user.', {
    shape: webAddress,
    type: 'reference',
    caseExact: true,
    referenceTypes: ['external'],
  }),
  attribute('title', 'Job title.', { search: foldedText('title') }),
  attribute('userType', 'Relation to the organization, such as Employee.', {
    search: foldedText('userType'),
  }),
  attribute(
    'preferredLanguage',
    'Preferred languages as in Accept-Language; the first tag counts; en when absent.',
    {
      shape: preferredLanguages,
      canonicalValues: languageTags,
      search: foldedText('preferredLanguage', { fold: foldLanguage, foldWhole: foldWholeLanguage }),
    },
  ),
  attribute('locale', 'Locale as a BCP 47 tag.', { shape: languageTag, canonicalValues: languageTags }),
  attribute('timezone', 'IANA time zone name.', {
    caseExact: true,
    canonicalValues: [
      'Africa/Nairobi',
      'America/New_York',
      'Asia/Tokyo',
      'Europe/Zurich',
      'Pacific/Auckland',
    ],
  }),
  attribute('active', 'Whether the user may sign in; true when absent.', {
    type: 'boolean',
    // A default of true would otherwise activate a user whom a client has deactivated.
    staysWhenUnassigned: true,
    search: activeFlag,
  }),
  attribute(
    'password',
    'Clear text password to be set. The organization may have another policy than the usual one.',
    {
      shape: usualPassword,
      caseExact: true,
      mutability: 'writeOnly',
      returned: 'never',
    },
  ),
  attribute('emails', 'E-mail addresses; exactly one is primary.', {
    type: 'complex',
    multiValued: true,
    most: 100,
    search: emailSearch,
    subAttributes: [
      attribute('value', 'E-mail address.', { required: true, shape: emailAddress, search: emailSearch }),
      display,
      typed('work', 'home', 'other'),
      primary,
    ],
  }),
  attribute('phoneNumbers', 'Telephone numbers.', {
    type: 'complex',
    multiValued: true,
    most: 100,
    search: phoneSearch,
    subAttributes: [
      attribute('value', 'Telephone number, returned without separators if it is one.', {
        required: true,
        search: phoneSearch,
      }),
      display,
      typed('work', 'home', 'mobile', 'fax', 'pager', 'other'),
      primary,
    ],
  }),
  attribute('ims', 'Instant messaging addresses.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Instant messaging address.', { required: true }),
      display,
      typed('aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'),
      primary,
    ],
  }),
  attribute('photos', 'Pictures of the user.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'URL of the picture.', {
        shape: webAddress,
        type: 'reference',
        required: true,
        caseExact: true,
        referenceTypes: ['external'],
      }),
      display,
      typed('photo', 'thumbnail'),
      primary,
    ],
  }),
  attribute('addresses', 'Postal addresses.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('formatted', 'The whole address as on a label.', { shape: longText }),
      attribute('streetAddress', 'Street and number.', { shape: longText }),
      attribute('locality', 'City.'),
      attribute('region', 'State or region.'),
      attribute('postalCode', 'Postal code.'),
      attribute('country', 'Country code.'),
      display,
      typed('work', 'home', 'other'),
      primary,
    ],
  }),
  attribute('entitlements', 'Things the user is entitled to.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value', 'Entitlement.', { required: true }), display, typed(), primary],
  }),
  attribute('groups', 'Groups of the user. Lists of users have them only if `attributes` names them.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    search: relation('groups'),
    subAttributes: [
      attribute('value', 'Identifier of the group.', {
        caseExact: true,
        mutability: 'readOnly',
        search: relation('groups'),
      }),
      attribute('$ref', 'URL of the group.', {
        type: 'reference',
        caseExact: true,
        mutability: 'readOnly',
        referenceTypes: ['Group'],
      }),
      attribute('display', 'displayName of the group.', { mutability: 'readOnly' }),
      attribute('type', 'Always direct, because groups have no groups.', {
        mutability: 'readOnly',
        canonicalValues: ['direct'],
      }),
    ],
  }),
  attribute('roles', 'Roles the user has elsewhere.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value', 'Role.', { required: true }), display, typed(), primary],
  }),
];

/**
 * The extension of this service (RFC 7643 section 3.3) with claims of OpenID Connect Core section 5.1 for which the core schema
 * has no attribute. A resource has them in an object under the URN. They are stored beside the core attributes.
 */
export const userExtension: Attribute = attribute(
  urns.userExtension,
  'Claims about the user for applications.',
  {
    type: 'complex',
    subAttributes: [
      attribute('website', 'URL of the web site of the user.', {
        shape: webAddress,
        type: 'reference',
        caseExact: true,
        referenceTypes: ['external'],
      }),
      attribute('birthdate', 'Date of birth, YYYY-MM-DD. The year may be 0000, or stand alone.', {
        shape: birthdate,
        canonicalValues: ['1990-12-31', '0000-12-31', '1990'],
      }),
      attribute('gender', 'Gender.', { canonicalValues: ['female', 'male'] }),
    ],
  },
);

/** The User schema with the attributes that every resource has, and with further extensions. */
export function userSchemaWith(extensions: readonly Attribute[]): ResourceSchema {
  return resourceSchema({
    name: 'User',
    urn: urns.user,
    // SCIM 1.1 and early drafts of SCIM 2.0 spell it otherwise.
    urnPattern: 'urn:(?:ietf:params:)?scim:schemas:core:[12]\\.0(?::user)?',
    common: commonAttributes,
    core: userAttributes,
    extensions: [enterpriseUser, userExtension, ...extensions],
  });
}

/** The User schema of organizations that have registered no extension. */
export const userSchema = userSchemaWith([]);
