/**
 * PATCH requests as provisioning clients send them, with what becomes of the user. Each begins with the user of
 * `start` over the usual one: Barbara Jensen with one work address.
 */
export interface PatchExchange {
  readonly name: string;
  readonly start?: Record<string, unknown>;
  /** The body; where it is a list, the operations of a PatchOp message. */
  readonly request: unknown;
  /** Attributes afterwards; undefined for one that is gone. */
  readonly after?: Record<string, unknown>;
  readonly password?: string | null;
  /** Expected `scimType`, or the status where there is none. */
  readonly error?: string;
}

export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const workEmail = { value: 'bjensen@example.com', type: 'work', primary: true };
const homeEmail = { value: 'babs@jensen.org', type: 'home', primary: false };
const twoEmails = { emails: [workEmail, homeEmail] };
const address = {
  type: 'work',
  streetAddress: '100 Universal City Plaza',
  locality: 'Hollywood',
  country: 'USA',
};

const recorded: PatchExchange[] = [
  {
    name: 'Okta deactivates',
    request: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] },
    after: { active: false },
  },
  {
    name: 'Okta reactivates',
    start: { active: false },
    request: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: true } }] },
    after: { active: true },
  },
  {
    name: 'Okta pushes a password',
    request: { schemas: [patchOp], Operations: [{ op: 'replace', value: { password: 'Tr0ub4dor&3' } }] },
    password: 'Tr0ub4dor&3',
  },
  {
    name: 'Entra disables with a capital and a string',
    request: { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    after: { active: false },
  },
  {
    name: 'Entra updates names and one address',
    start: { displayName: 'Babs' },
    request: {
      schemas: [patchOp],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      ],
    },
    after: {
      name: { formatted: 'Babs', givenName: 'Barbara', familyName: 'updatedFamilyName' },
      emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
    },
  },
  {
    name: 'Entra adds attributes that are absent, by filters',
    start: { emails: [{ value: 'bjensen@example.com', primary: true }] },
    request: {
      schemas: [patchOp],
      Operations: [
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'work@example.com' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 010 0100' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1 555-010-0101' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
        { op: 'Add', path: 'addresses[type eq "work"].country', value: 'US' },
        {
          op: 'Add',
          path: `${enterprise}:department`,
          value: 'R&D',
        },
        { op: 'Add', path: 'title', value: 'Engineer' },
        { op: 'Add', path: 'externalId', value: '29a8b3f2' },
      ],
    },
    after: {
      schemas: [core, enterprise],
      [enterprise]: { department: 'R&D' },
      title: 'Engineer',
      externalId: '29a8b3f2',
      emails: [
        { value: 'bjensen@example.com', primary: true },
        { value: 'work@example.com', type: 'work', primary: false },
      ],
      phoneNumbers: [
        { value: '+15550100100', type: 'mobile', primary: false },
        { value: '+15550100101', type: 'work', primary: false },
      ],
      addresses: [{ type: 'work', locality: 'Redmond', country: 'US' }],
    },
  },
  {
    name: 'Entra sends dotted names and filters as keys of one value',
    request: {
      schemas: [patchOp],
      Operations: [
        {
          op: 'Add',
          value: {
            'name.givenName': 'Babs',
            'emails[type eq "work"].value': 'babs@example.com',
            [`${core}:title`]: 'Boss',
            [enterprise]: { department: 'x' },
            [`${enterprise}:manager`]: '1',
            displayName: 'Babs J.',
            active: 'True',
          },
        },
      ],
    },
    after: {
      schemas: [core, enterprise],
      [enterprise]: {
        department: 'x',
        manager: { value: '1', $ref: 'https://example.com/Users/1' },
      },
      name: { formatted: 'Babs J.', givenName: 'Babs', familyName: 'Jensen' },
      title: 'Boss',
      active: true,
      emails: [{ value: 'babs@example.com', type: 'work', primary: true }],
    },
  },
  {
    name: 'Entra removes with a list of values',
    start: { ...twoEmails, roles: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] },
    request: {
      schemas: [patchOp],
      Operations: [
        { op: 'Remove', path: 'roles', value: [{ value: 'a' }, { value: 'c' }] },
        { op: 'Remove', path: 'emails', value: [{ $ref: null, value: 'BABS@jensen.org' }] },
      ],
    },
    after: { roles: [{ value: 'b' }], emails: [workEmail] },
  },
  {
    name: 'OneLogin puts single values into lists',
    request: {
      Schemas: [patchOp],
      operations: [
        { OP: 'replace', Path: 'title', Value: ['Guide'] },
        { op: 'replace', path: 'active', value: [false] },
      ],
    },
    after: { title: 'Guide', active: false },
  },
  {
    name: 'OneLogin sends the whole user as a value',
    request: {
      schemas: [patchOp],
      Operations: [
        {
          op: 'replace',
          value: {
            schemas: [core],
            id: 'something else',
            meta: { version: '99' },
            userName: 'babs@example.com',
            name: { givenName: 'Babs' },
            emails: [{ value: 'babs@example.com', type: 'work', primary: true }],
            groups: [{ value: 'g' }],
          },
        },
      ],
    },
    after: {
      id: 'user-1',
      userName: 'babs@example.com',
      name: { formatted: 'Babs Jensen', givenName: 'Babs', familyName: 'Jensen' },
      emails: [{ value: 'babs@example.com', type: 'work', primary: true }],
    },
  },
  {
    name: 'a SCIM 1.1 core URN in paths and keys',
    request: [
      { op: 'replace', path: 'urn:scim:schemas:core:1.0:title', value: 'Legacy' },
      { op: 'add', value: { 'urn:scim:schemas:core:1.0': { nickName: 'Leg' } } },
      { op: 'add', path: core, value: { userType: 'Employee' } },
    ],
    after: { title: 'Legacy', nickName: 'Leg', userType: 'Employee' },
  },
];

const rfcExamples: PatchExchange[] = [
  {
    name: 'RFC 7644 3.5.2.1: add to the resource',
    request: [
      { op: 'add', value: { emails: [{ value: 'babs@jensen.org', type: 'home' }], nickName: 'Babs' } },
    ],
    after: { emails: [workEmail, homeEmail], nickName: 'Babs' },
  },
  {
    name: 'RFC 7644 3.5.2.2: remove one value',
    start: twoEmails,
    request: [{ op: 'remove', path: 'emails[type eq "work" and value ew "example.com"]' }],
    after: { emails: [{ ...homeEmail, primary: true }] },
  },
  {
    name: 'RFC 7644 3.5.2.2: remove one value and add another',
    request: [
      { op: 'remove', path: 'emails[type eq "work" and value eq "bjensen@example.com"]' },
      { op: 'add', path: 'emails', value: [{ value: 'new@example.com', type: 'work' }] },
    ],
    after: { emails: [{ value: 'new@example.com', type: 'work', primary: true }] },
  },
  {
    name: 'RFC 7644 3.5.2.3: replace all values',
    start: twoEmails,
    request: [
      {
        op: 'replace',
        value: {
          emails: [{ value: 'a@example.com', type: 'work', primary: true }, { value: 'b@example.com' }],
        },
      },
    ],
    after: {
      emails: [
        { value: 'a@example.com', type: 'work', primary: true },
        { value: 'b@example.com', primary: false },
      ],
    },
  },
  {
    name: 'RFC 7644 3.5.2.3: replace an address chosen by type',
    start: { addresses: [address, { type: 'home', country: 'US' }] },
    request: [
      {
        op: 'replace',
        path: 'addresses[type eq "work"]',
        value: { type: 'work', streetAddress: '911 Universal City Plaza', country: 'US' },
      },
    ],
    after: {
      addresses: [
        { streetAddress: '911 Universal City Plaza', country: 'US', type: 'work' },
        { type: 'home', country: 'US' },
      ],
    },
  },
  {
    name: 'RFC 7644 3.5.2.3: replace a part of an address',
    start: { addresses: [address] },
    request: [{ op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '1010 Broadway Ave' }],
    after: { addresses: [{ ...address, streetAddress: '1010 Broadway Ave' }] },
  },
];

const rules: PatchExchange[] = [
  {
    name: 'replace of a complex attribute leaves what it does not mention',
    start: { name: { givenName: 'Barbara', familyName: 'Jensen', middleName: 'Jane' }, displayName: 'Babs' },
    request: [{ op: 'replace', path: 'name', value: { givenName: 'Bea' } }],
    after: { name: { formatted: 'Babs', familyName: 'Jensen', givenName: 'Bea', middleName: 'Jane' } },
  },
  {
    name: 'a null part of a complex value is removed',
    start: { name: { givenName: 'Barbara', familyName: 'Jensen', middleName: 'Jane' } },
    request: [{ op: 'add', value: { name: { MIDDLENAME: null } } }],
    after: { name: { formatted: 'Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' } },
  },
  {
    name: 'a display name made of the names follows them',
    request: [{ op: 'replace', path: 'name.familyName', value: 'Smith' }],
    after: {
      displayName: 'Barbara Smith',
      name: { formatted: 'Barbara Smith', familyName: 'Smith', givenName: 'Barbara' },
    },
  },
  {
    name: 'name.formatted is the display name as long as nobody gave one',
    request: [{ op: 'replace', path: 'name.formatted', value: 'Ms. Jensen' }],
    after: {
      displayName: 'Ms. Jensen',
      name: { formatted: 'Ms. Jensen', familyName: 'Jensen', givenName: 'Barbara' },
    },
  },
  {
    name: 'name.formatted leaves a display name that a client gave',
    start: { displayName: 'Babs' },
    request: [{ op: 'replace', path: 'name.formatted', value: 'Ms. Jensen' }],
    after: {
      displayName: 'Babs',
      name: { formatted: 'Ms. Jensen', familyName: 'Jensen', givenName: 'Barbara' },
    },
  },
  {
    name: 'a display name that a client gave stays, although it equals the names',
    start: { displayName: 'Barbara Jensen' },
    request: [
      { op: 'replace', path: 'name.familyName', value: 'Smith' },
      { op: 'replace', path: 'name.formatted', value: 'Ms. Smith' },
    ],
    after: {
      displayName: 'Barbara Jensen',
      name: { formatted: 'Ms. Smith', familyName: 'Smith', givenName: 'Barbara' },
    },
  },
  {
    name: 'a display name that equals name.formatted stays when that changes',
    start: {
      displayName: 'Ms. Jensen',
      name: { givenName: 'Barbara', familyName: 'Jensen', formatted: 'Ms. Jensen' },
    },
    request: [{ op: 'replace', value: { name: { formatted: 'Ms. Smith', familyName: 'Smith' } } }],
    after: {
      displayName: 'Ms. Jensen',
      name: { formatted: 'Ms. Smith', familyName: 'Smith', givenName: 'Barbara' },
    },
  },
  {
    name: 'a change of the display name leaves name.formatted',
    start: { name: { givenName: 'Barbara', familyName: 'Jensen', formatted: 'Ms. Jensen' } },
    request: [{ op: 'replace', path: 'displayName', value: 'Babs' }],
    after: {
      displayName: 'Babs',
      name: { formatted: 'Ms. Jensen', familyName: 'Jensen', givenName: 'Barbara' },
    },
  },
  {
    name: 'the display name and name.formatted are kept apart',
    request: [{ op: 'replace', value: { displayName: 'Babs', name: { formatted: 'Ms. Jensen' } } }],
    after: {
      displayName: 'Babs',
      name: { formatted: 'Ms. Jensen', familyName: 'Jensen', givenName: 'Barbara' },
    },
  },
  {
    name: 'removing name.formatted makes the display name of the names again',
    start: { name: { givenName: 'Barbara', familyName: 'Jensen', formatted: 'Ms. Jensen' } },
    request: [{ op: 'remove', path: 'name.formatted' }],
    after: {
      displayName: 'Barbara Jensen',
      name: { formatted: 'Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' },
    },
  },
  {
    name: 'a change of other attributes leaves what the names are made of',
    start: { name: { givenName: 'Barbara', familyName: 'Jensen', formatted: 'Ms. Jensen' } },
    request: [{ op: 'replace', value: { title: 'Guide', name: { middleName: 'Jane' } } }],
    after: {
      title: 'Guide',
      displayName: 'Ms. Jensen',
      name: { formatted: 'Ms. Jensen', familyName: 'Jensen', givenName: 'Barbara', middleName: 'Jane' },
    },
  },
  {
    name: 'a display name that is said again does not follow the names',
    request: [{ op: 'replace', value: { displayName: 'Barbara Jensen', 'name.familyName': 'Smith' } }],
    after: { displayName: 'Barbara Jensen' },
  },
  {
    name: 'without display name it is made of the names',
    start: { displayName: 'Babs' },
    request: [{ op: 'remove', path: 'displayName' }],
    after: { displayName: 'Barbara Jensen' },
  },
  {
    name: 'a new primary clears the old one',
    start: twoEmails,
    request: [{ op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' }],
    after: {
      emails: [
        { ...workEmail, primary: false },
        { ...homeEmail, primary: true },
      ],
    },
  },
  {
    name: 'an added primary clears the old one',
    request: [{ op: 'add', path: 'emails', value: { value: 'new@example.com', primary: true } }],
    after: {
      emails: [
        { ...workEmail, primary: false },
        { value: 'new@example.com', primary: true },
      ],
    },
  },
  {
    name: 'adding what is there changes nothing, in any letter case',
    start: { ...twoEmails, phoneNumbers: [{ value: '+1 555 0100', type: 'work' }] },
    request: [
      { op: 'add', path: 'emails', value: [{ type: 'work', value: 'BJENSEN@example.com' }] },
      { op: 'add', path: 'phoneNumbers', value: [{ type: 'work', value: '+1 (555) 0100' }] },
      { op: 'add', path: 'userName', value: 'bjensen@example.com' },
    ],
    after: {
      emails: [workEmail, homeEmail],
      phoneNumbers: [{ value: '+15550100', type: 'work', primary: false }],
    },
  },
  {
    name: 'adding an existing value as primary makes it primary',
    start: twoEmails,
    request: [{ op: 'add', path: 'emails', value: [{ value: 'babs@jensen.org', primary: true }] }],
    after: {
      emails: [
        { ...workEmail, primary: false },
        { ...homeEmail, primary: true },
      ],
    },
  },
  {
    name: 'the same value with another type is another value',
    start: { ims: [{ value: 'babs', type: 'skype' }] },
    request: [{ op: 'add', path: 'ims', value: [{ value: 'babs', type: 'xmpp' }, { value: 'babs' }] }],
    after: {
      ims: [
        { value: 'babs', type: 'skype' },
        { value: 'babs', type: 'xmpp' },
      ],
    },
  },
  {
    name: 'empty strings, nulls and empty lists unassign',
    start: {
      title: 'x',
      nickName: 'x',
      locale: 'en-US',
      roles: [{ value: 'a' }],
      ims: [{ value: 'i' }],
      photos: [{ value: 'https://example.com/p.png', type: 'photo' }],
      entitlements: [{ value: 'e' }],
    },
    request: [
      { op: 'replace', path: 'title', value: '' },
      { op: 'add', path: 'nickName', value: null },
      { op: 'replace', value: { locale: '', roles: [], ims: null } },
      { op: 'replace', path: 'photos[type eq "photo"].value', value: '' },
      { op: 'replace', path: 'entitlements', value: '' },
    ],
    after: {
      title: undefined,
      nickName: undefined,
      locale: undefined,
      roles: undefined,
      ims: undefined,
      photos: undefined,
      entitlements: undefined,
    },
  },
  {
    name: 'unassigning what is not there succeeds',
    request: [
      { op: 'remove', path: 'title' },
      { op: 'remove', path: 'phoneNumbers[type eq "fax"]' },
      { op: 'remove', path: 'phoneNumbers[type eq "fax"].value' },
      { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '' },
      { op: 'remove', path: 'roles', value: [{ value: 'x' }] },
    ],
    after: { title: undefined, phoneNumbers: undefined, roles: undefined },
  },
  {
    name: 'remove a sub-attribute',
    start: twoEmails,
    request: [{ op: 'remove', path: 'emails[type eq "home"].type' }],
    after: { emails: [workEmail, { value: 'babs@jensen.org', primary: false }] },
  },
  {
    name: 'remove a part of the name',
    request: [{ op: 'replace', path: 'name.familyName', value: '' }],
    after: { name: { formatted: 'Barbara', givenName: 'Barbara' }, displayName: 'Barbara' },
  },
  {
    name: 'remove the name',
    request: [{ op: 'remove', path: 'name' }],
    after: { name: undefined, displayName: 'bjensen@example.com' },
  },
  {
    name: 'remove the last address',
    request: [{ op: 'remove', path: 'emails' }],
    after: { emails: undefined },
  },
  {
    name: 'remove the last address by its type',
    request: [{ op: 'remove', path: 'emails[type eq "work"]' }],
    after: { emails: undefined },
  },
  {
    name: 'replace of a selected address leaves what the object and the filter name',
    start: { emails: [{ ...workEmail, display: 'Old' }, homeEmail] },
    request: [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'new@example.com' } }],
    after: { emails: [{ value: 'new@example.com', type: 'work', primary: true }, homeEmail] },
  },
  {
    name: 'replace of several selected addresses leaves one',
    start: { emails: [workEmail, { ...homeEmail, type: 'work' }] },
    request: [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'new@example.com' } }],
    after: { emails: [{ value: 'new@example.com', type: 'work', primary: true }] },
  },
  {
    name: 'add to a selected address keeps its other parts',
    start: { emails: [{ ...workEmail, display: 'Old' }, homeEmail] },
    request: [{ op: 'add', path: 'emails[type eq "work"]', value: { value: 'new@example.com' } }],
    after: { emails: [{ ...workEmail, display: 'Old', value: 'new@example.com' }, homeEmail] },
  },
  {
    name: 'a filter of a path has the order of texts',
    start: { roles: [{ value: 'Admin' }, { value: 'guest' }, { value: 'Éditeur' }] },
    request: [{ op: 'remove', path: 'roles[value gt "ADMIN" and value lt "é"]' }],
    after: { roles: [{ value: 'Admin' }, { value: 'Éditeur' }] },
  },
  {
    name: 'a part of a number is found as in the filter of a list',
    start: { phoneNumbers: [{ value: '(555) Ext. 12' }, { value: '+1 555 0100' }] },
    request: [{ op: 'remove', path: 'phoneNumbers[value co "555-01"]' }],
    after: { phoneNumbers: [{ value: '(555) Ext. 12', primary: false }] },
  },
  {
    name: 'add names and an address to a user without them',
    start: { name: {}, emails: [] },
    request: [
      { op: 'add', path: 'name.givenName', value: 'Babs' },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'bjensen@example.com' },
    ],
    after: { name: { formatted: 'Babs', givenName: 'Babs' }, displayName: 'Babs', emails: [workEmail] },
  },
  {
    name: 'a number that is none is selected as it is stored',
    start: { phoneNumbers: [{ value: '(555) Ext. 12' }, { value: '555 12' }] },
    request: [{ op: 'remove', path: 'phoneNumbers[value eq "(555) ext. 12"]' }],
    after: { phoneNumbers: [{ value: '55512', primary: false }] },
  },
  {
    name: 'removing what makes a value removes the value',
    start: twoEmails,
    request: [{ op: 'remove', path: 'emails[type eq "home"].value' }],
    after: { emails: [workEmail] },
  },
  {
    name: 'removing an empty list of values removes none',
    start: { roles: [{ value: 'a' }] },
    request: [{ op: 'remove', path: 'roles', value: [] }],
    after: { roles: [{ value: 'a' }] },
  },
  {
    name: 'a sub-attribute without filter reaches every value',
    start: { addresses: [{ type: 'work', country: 'US' }, { type: 'home' }] },
    request: [{ op: 'replace', path: 'addresses.country', value: 'CH' }],
    after: {
      addresses: [
        { country: 'CH', type: 'work' },
        { country: 'CH', type: 'home' },
      ],
    },
  },
  {
    name: 'a sub-attribute without filter makes the first value',
    request: [{ op: 'add', path: 'roles.value', value: 'admin' }],
    after: { roles: [{ value: 'admin' }] },
  },
  {
    name: 'create on absent follows a conjunction of eq',
    request: [
      { op: 'replace', path: 'addresses[type eq "home" and country eq "CH"].locality', value: 'Bern' },
      { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'babs@jensen.org' } },
    ],
    after: {
      addresses: [{ locality: 'Bern', country: 'CH', type: 'home' }],
      emails: [workEmail, homeEmail],
    },
  },
  {
    name: 'a value may be begun by one operation and completed by another',
    request: [
      { op: 'add', path: 'emails[type eq "home"].primary', value: true },
      { op: 'add', path: 'emails[type eq "home"].value', value: 'babs@jensen.org' },
    ],
    after: {
      emails: [
        { ...workEmail, primary: false },
        { ...homeEmail, primary: true },
      ],
    },
  },
  {
    name: 'replacing a chosen value keeps what chose it',
    start: { roles: [{ value: 'a', display: 'A' }], ims: [{ value: 'old', type: 'skype' }] },
    request: [{ op: 'replace', path: 'ims[type eq "skype"]', value: { value: 'new' } }],
    after: { ims: [{ value: 'new', type: 'skype' }] },
  },
  {
    name: 'several chosen values are replaced by one',
    start: { roles: [{ value: 'a1' }, { value: 'b' }, { value: 'a2' }] },
    request: [{ op: 'replace', path: 'roles[value sw "a"]', value: { value: 'a' } }],
    after: { roles: [{ value: 'a' }, { value: 'b' }] },
  },
  {
    name: 'add to chosen values',
    start: { roles: [{ value: 'a' }, { value: 'b' }] },
    request: [{ op: 'add', path: 'roles[value eq "B"]', value: { display: 'Bee' } }],
    after: { roles: [{ value: 'a' }, { value: 'b', display: 'Bee' }] },
  },
  {
    name: 'filters with every operator',
    start: { roles: ['abc', 'bcd', 'cde', 'def'].map((value) => ({ value })) },
    request: [
      { op: 'remove', path: 'roles[value ew "EF"]' },
      { op: 'remove', path: 'roles[not (value ne "abc")]' },
      { op: 'add', path: 'roles[value co "d" and not (display pr)].display', value: 'D' },
      { op: 'remove', path: 'roles[value sw "b" or display eq null]' },
    ],
    after: { roles: [{ value: 'cde', display: 'D' }] },
  },
  {
    name: 'a filter on a flag that is not set',
    start: { addresses: [{ type: 'work', country: 'US' }] },
    request: [{ op: 'replace', path: 'addresses[primary eq false].country', value: 'CH' }],
    after: { addresses: [{ country: 'CH', type: 'work' }] },
  },
  {
    name: 'operations see what those before have done',
    request: [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails', value: [{ value: 'only@example.com' }] },
    ],
    after: { emails: [{ value: 'only@example.com', primary: true }] },
  },
  {
    name: 'password by path',
    request: [{ op: 'replace', path: 'password', value: 'S3cret!!' }],
    password: 'S3cret!!',
  },
  { name: 'password removed', request: [{ op: 'remove', path: 'password' }], password: null },
  { name: 'password emptied', request: [{ op: 'replace', path: 'password', value: '' }], password: null },
  {
    name: 'password removed and set again',
    request: [
      { op: 'remove', path: 'password' },
      { op: 'add', path: 'password', value: 'S3cret!!' },
    ],
    password: 'S3cret!!',
  },
  ...(['add', 'replace'] as const).flatMap((op): PatchExchange[] => [
    ...[{}, { unknown: 'x' }, { $ref: null, nickname: 'x' }, [{}]].map((value) => ({
      name: `${op} of ${JSON.stringify(value)} to a chosen value changes nothing`,
      start: { ...twoEmails, addresses: [address] },
      request: [
        { op, path: 'emails[type eq "home"]', value },
        { op, path: 'addresses[type eq "work"]', value },
        { op, path: 'emails[type eq "other"]', value },
        { op, path: 'emails[type eq "a" or type eq "b"]', value },
      ],
      after: { ...twoEmails, addresses: [{ ...address }] },
    })),
    ...[{}, [{}], [{ unknown: 'x' }], [{}, { unknown: 'x' }]].map((value) => ({
      name: `${op} of ${JSON.stringify(value)} to a whole list changes nothing`,
      start: { ...twoEmails, roles: [{ value: 'a' }] },
      request: [
        { op, path: 'emails', value },
        { op, value: { roles: value } },
      ],
      after: { ...twoEmails, roles: [{ value: 'a' }] },
    })),
  ]),
  {
    name: 'add of an unassigned part to a chosen value takes only that part away',
    start: { addresses: [address] },
    request: [{ op: 'add', path: 'addresses[type eq "work"]', value: { country: null } }],
    after: {
      addresses: [{ type: 'work', streetAddress: address.streetAddress, locality: address.locality }],
    },
  },
  {
    name: 'add of an empty list changes nothing',
    start: { ...twoEmails, addresses: [address] },
    request: [
      { op: 'add', path: 'emails[type eq "home"]', value: [] },
      { op: 'add', path: 'addresses[type eq "work"]', value: [] },
      { op: 'add', path: 'emails', value: [] },
      { op: 'add', value: { addresses: [] } },
    ],
    after: { ...twoEmails, addresses: [{ ...address }] },
  },
  ...[null, '', []].map((value) => ({
    name: `replace by ${JSON.stringify(value)} removes a chosen value`,
    start: twoEmails,
    request: [{ op: 'replace', path: 'emails[type eq "home"]', value }],
    after: { emails: [workEmail] },
  })),
  ...[
    { op: 'remove', path: 'active' },
    { op: 'replace', path: 'active', value: '' },
    { op: 'add', path: 'active', value: null },
    { op: 'replace', path: 'active', value: [] },
    { op: 'replace', path: 'active', value: { value: null } },
    { op: 'replace', value: { active: null } },
    { op: 'add', value: { [`${core}:active`]: '' } },
  ].flatMap((operation) =>
    [true, false].map((active) => ({
      name: `${JSON.stringify(operation)} leaves a user that is ${active ? 'active' : 'inactive'}`,
      start: { active },
      request: [operation],
      after: { active },
    })),
  ),
  {
    name: 'Entra sends a single role',
    request: [{ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Admin' }],
    after: { roles: [{ value: 'Admin', primary: true }] },
  },
  {
    name: 'Entra sends roles with all their parts',
    start: { roles: [{ value: 'Guest', primary: true, type: 'Role', display: 'A guest' }] },
    request: [
      {
        op: 'Add',
        path: 'roles',
        value: [{ value: 'Admin', primary: 'True', type: 'Role', display: 'An admin' }],
      },
      { op: 'Replace', path: 'roles[primary eq "True"].display', value: 'The admin' },
    ],
    after: {
      roles: [
        { value: 'Guest', primary: false, type: 'Role', display: 'A guest' },
        { value: 'Admin', primary: true, type: 'Role', display: 'The admin' },
      ],
    },
  },
  ...[
    'name.unknown',
    'name.__proto__',
    'emails.unknown',
    'meta.unknown',
    `${core}:emails.unknown`,
    'emails[type eq "work"].unknown',
    'emails[unknown eq "x"].value',
    'emails[type eq "work" and not (unknown eq "x")].value',
    'emails[__proto__ pr].value',
    'roles[$ref eq "x"]',
  ].flatMap((path) =>
    ['add', 'replace', 'remove'].map((op) => ({
      name: `${op} of the unknown sub-attribute ${path} is ignored`,
      start: { ...twoEmails, roles: [{ value: 'a' }] },
      request: [
        { op, path, value: 'x' },
        ...(path.startsWith('meta') ? [] : [{ op: 'add', value: { [path]: 'x' } }]),
      ],
      after: { ...twoEmails, roles: [{ value: 'a' }] },
    })),
  ),
  {
    name: 'unknown and read-only attributes in a value are ignored',
    request: [
      {
        op: 'add',
        value: {
          id: 'x',
          meta: {},
          schemas: [],
          groups: [],
          ['__proto__']: { title: 'polluted' },
          title: 'T',
        },
      },
    ],
    after: { id: 'user-1', title: 'T' },
  },
];

/** An object or a list in a text, wherever one is expected, and numbers for texts. */
const texts: PatchExchange[] = [
  {
    name: 'authentik sends no schemas',
    request: { Operations: [{ op: 'replace', path: 'title', value: 'Chief' }] },
    after: { title: 'Chief' },
  },
  {
    name: 'schemas is null',
    request: { schemas: null, operations: [{ op: 'replace', path: 'title', value: 'Chief' }] },
    after: { title: 'Chief' },
  },
  ...[
    '{"title":"Chief","name.givenName":"Barb"}',
    ' [{"title":"Chief","name.givenName":"Barb"}]',
    ['{"title":"Chief","name.givenName":"Barb"}'],
    ['[{"title":"Chief","name.givenName":"Barb"}]'],
    JSON.stringify({ title: 'Chief', name: '{"givenName":"Barb"}' }),
    JSON.stringify({ [core]: '{"title":"Chief","name":"{\\"givenName\\":\\"Barb\\"}"}' }),
  ].map((value) => ({
    name: `the JSON text ${JSON.stringify(value)} without path`,
    request: [{ op: 'replace', value }],
    after: {
      title: 'Chief',
      name: { formatted: 'Barb Jensen', familyName: 'Jensen', givenName: 'Barb' },
    },
  })),
  {
    name: 'JSON texts of lists and of their values',
    request: [
      { op: 'add', path: 'emails', value: '[{"value":"babs@jensen.org","type":"home"}]' },
      { op: 'add', path: 'roles', value: ['{"value":"a"}', { value: 'b' }] },
      { op: 'replace', path: 'roles[value eq "b"]', value: '{"value":"c"}' },
      { op: 'remove', path: 'roles', value: '[{"value":"a"}]' },
    ],
    after: { ...twoEmails, roles: [{ value: 'c' }] },
  },
  ...['', ':manager'].map((path) => ({
    name: `a JSON text for ${path || 'the extension'}`,
    request: [
      {
        op: 'replace',
        path: `${enterprise}${path}`,
        value: path === '' ? '{"manager":"{\\"value\\":\\"m\\"}"}' : '{"value":"m"}',
      },
    ],
    after: {
      schemas: [core, enterprise],
      [enterprise]: { manager: { value: 'm', $ref: 'https://example.com/Users/m' } },
    },
  })),
  {
    name: 'a text where a text is expected stays',
    request: [
      { op: 'replace', path: 'title', value: '{"a":1}' },
      { op: 'replace', value: { nickName: '[]', [enterprise]: { department: '[1]', manager: '{m' } } },
      { op: 'add', path: 'roles', value: [{ value: '["r"]' }] },
    ],
    after: {
      title: '{"a":1}',
      nickName: '[]',
      roles: [{ value: '["r"]' }],
      schemas: [core, enterprise],
      [enterprise]: { department: '[1]', manager: { value: '{m', $ref: 'https://example.com/Users/%7Bm' } },
    },
  },
  {
    name: 'numbers and booleans where texts belong',
    request: [
      { op: 'add', path: 'externalId', value: 701984 },
      { op: 'replace', value: { title: true, 'name.givenName': -1.5, [`${enterprise}:employeeNumber`]: 0 } },
      { op: 'add', path: 'roles', value: [{ value: 7 }, { value: '7' }] },
      { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: 5550100 },
      { op: 'add', path: `${enterprise}:manager`, value: 42 },
    ],
    after: {
      externalId: '701984',
      title: 'true',
      name: { formatted: '-1.5 Jensen', familyName: 'Jensen', givenName: '-1.5' },
      roles: [{ value: '7' }],
      phoneNumbers: [{ value: '5550100', type: 'work', primary: false }],
      schemas: [core, enterprise],
      [enterprise]: { employeeNumber: '0', manager: { value: '42', $ref: 'https://example.com/Users/42' } },
    },
  },
  {
    name: 'a list of languages with weights',
    request: [{ op: 'replace', path: 'preferredLanguage', value: 'da, en-gb;q=0.8, en;q=0.7' }],
    after: { preferredLanguage: 'da, en-gb;q=0.8, en;q=0.7' },
  },
];

const refused: PatchExchange[] = [
  { name: 'body is no object', request: 'x', error: 'invalidSyntax' },
  {
    name: 'another schema',
    request: { schemas: [core], Operations: [{ op: 'remove', path: 'title' }] },
    error: 'invalidSyntax',
  },
  {
    name: 'an empty list of schemas',
    request: { schemas: [], Operations: [{ op: 'remove', path: 'title' }] },
    error: 'invalidSyntax',
  },
  {
    name: 'a text for schemas',
    request: { schemas: patchOp, Operations: [{ op: 'remove', path: 'title' }] },
    error: 'invalidSyntax',
  },
  { name: 'no Operations', request: { schemas: [patchOp] }, error: 'invalidSyntax' },
  { name: 'empty Operations', request: [], error: 'invalidSyntax' },
  { name: 'operation is no object', request: ['remove'], error: 'invalidSyntax' },
  { name: 'unknown op', request: [{ op: 'move', path: 'title', value: 'x' }], error: 'invalidSyntax' },
  { name: 'op is no string', request: [{ op: 1, path: 'title', value: 'x' }], error: 'invalidSyntax' },
  { name: 'path is no string', request: [{ op: 'add', path: {}, value: 'x' }], error: 'invalidSyntax' },
  { name: 'value without path is no object', request: [{ op: 'add', value: 'x' }], error: 'invalidSyntax' },
  ...['x', ['x', 'y'], 5, '{"title":'].map((value) => ({
    name: `${JSON.stringify(value)} under the URN of the schema`,
    request: [{ op: 'replace', value: { [core]: value } }],
    error: 'invalidSyntax',
  })),
  { name: 'add without value', request: [{ op: 'add', path: 'title' }], error: 'invalidValue' },
  { name: 'replace without value', request: [{ op: 'replace', path: 'title' }], error: 'invalidValue' },
  { name: 'wrong type', request: [{ op: 'add', path: 'title', value: { a: 5 } }], error: 'invalidSyntax' },
  {
    name: 'a number whose digits JSON parsers change',
    request: [{ op: 'add', path: 'externalId', value: 2 ** 53 }],
    error: 'invalidSyntax',
  },
  ...['{"title":', '{title: "x"}', '"title"', '5', '[{"title":"a"},{"title":"b"}]', '[]', '["{"]'].map(
    (value) => ({
      name: `the text ${value} without path`,
      request: [{ op: 'replace', value }],
      error: 'invalidSyntax',
    }),
  ),
  {
    name: 'a JSON text that nests too deep',
    request: [{ op: 'add', path: 'emails', value: `${'['.repeat(33)}${']'.repeat(33)}` }],
    error: 'invalidSyntax',
  },
  {
    name: 'JSON texts with too many parts together',
    request: Array.from({ length: 2 }, () => ({
      op: 'add',
      path: 'emails',
      value: `[${'{},'.repeat(10_000)}{}]`,
    })),
    error: '413',
  },
  {
    name: 'many texts that only look like JSON',
    request: [{ op: 'add', path: 'emails', value: Array.from({ length: 250 }, () => '{x}') }],
    error: '413',
  },
  {
    name: 'a JSON text with an address that is none',
    request: [{ op: 'add', path: 'emails', value: '[{"value":"nobody"}]' }],
    error: 'invalidValue',
  },
  {
    name: 'wrong type of a list',
    request: [{ op: 'add', path: 'emails', value: 'x@y' }],
    error: 'invalidSyntax',
  },
  {
    name: 'wrong type of a complex value',
    request: [{ op: 'add', path: 'name', value: 'x' }],
    error: 'invalidSyntax',
  },
  {
    name: 'wrong type of a flag',
    request: [{ op: 'replace', path: 'active', value: 'maybe' }],
    error: 'invalidSyntax',
  },
  ...[{}, [{}], { $ref: null }].flatMap((value) =>
    ['title', 'name.givenName', 'password', 'active', 'emails[type eq "work"].type'].map((path) => ({
      name: `${JSON.stringify(value)} for ${path}`,
      request: [{ op: 'replace', path, value }],
      error: 'invalidSyntax',
    })),
  ),
  {
    name: 'several values for one',
    request: [{ op: 'add', path: 'title', value: ['a', 'b'] }],
    error: 'invalidSyntax',
  },
  {
    name: 'a list of too many values',
    request: [
      { op: 'add', path: 'roles', value: Array.from({ length: 201 }, (_, i) => ({ value: `r${i}` })) },
    ],
    error: 'invalidValue',
  },
  {
    name: 'too many operations',
    request: Array.from({ length: 1001 }, () => ({ op: 'remove', path: 'title' })),
    error: '413',
  },
  { name: 'remove without path', request: [{ op: 'remove' }], error: 'noTarget' },
  { name: 'remove with an empty path', request: [{ op: 'remove', path: '' }], error: 'noTarget' },
  {
    name: 'replace of nothing by a filter that is no conjunction of eq',
    request: [{ op: 'replace', path: 'emails[value co "nobody"].value', value: 'x@y.z' }],
    error: 'noTarget',
  },
  {
    name: 'add to nothing by an alternative',
    request: [{ op: 'add', path: 'emails[type eq "a" or type eq "b"].value', value: 'x@y.z' }],
    error: 'noTarget',
  },
  {
    name: 'a value that remains without its value',
    request: [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
    error: 'noTarget',
  },
  { name: 'id by path', request: [{ op: 'replace', path: 'id', value: 'x' }], error: 'mutability' },
  {
    name: 'meta.created by path',
    request: [{ op: 'replace', path: 'meta.created', value: 'x' }],
    error: 'mutability',
  },
  {
    name: 'schemas by path',
    request: [{ op: 'add', path: 'schemas', value: ['urn:x'] }],
    error: 'mutability',
  },
  { name: 'remove meta', request: [{ op: 'remove', path: 'meta' }], error: 'mutability' },
  { name: 'remove userName', request: [{ op: 'remove', path: 'userName' }], error: 'mutability' },
  {
    name: 'a malformed filter in a key',
    request: [{ op: 'add', value: { 'emails[type eq': 'x' } }],
    error: 'invalidPath',
  },
];

const badPaths = [
  'emails.unknown.more',
  'emails.unknown[type eq "work"]',
  'emails[unknown eq].value',
  'unknown',
  'userName.value',
  'name.givenName.first',
  '.title',
  'title.',
  'title eq "x"',
  'emails[',
  'emails[]',
  'emails[type eq "work"',
  'emails[type eq "work"]value',
  'emails[type eq "work"].value.x',
  'emails[type eq work].value',
  'emails[type gt 1].value',
  'emails[primary gt false].value',
  'emails[type co ""].value',
  'emails[type eq 1].value',
  'emails[primary co "t"].value',
  'emails[primary eq "maybe"].value',
  'emails[emails[type eq "x"]].value',
  'emails.value[type eq "x"]',
  'name[givenName eq "x"]',
  'title[value eq "x"]',
  '__proto__',
  'constructor',
  'constructor.prototype',
  `emails[${'('.repeat(40)}type pr${')'.repeat(40)}].value`,
  `emails[${'type pr or '.repeat(100)}type pr].value`,
];

export const patchExchanges: readonly PatchExchange[] = [
  ...recorded,
  ...rfcExamples,
  ...rules,
  ...texts,
  ...refused,
  ...badPaths.map((path) => ({
    name: `path ${path.slice(0, 60)}`,
    request: [{ op: 'replace', path, value: 'x' }],
    error: 'invalidPath',
  })),
];
