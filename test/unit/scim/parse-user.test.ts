import t from 'tap';
import { parseUserResource } from '#src/scim/resources/parse-user.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { growthByFour } from '../../support/processor-time.js';
import { outcome } from './support/outcome.js';
import { userOf } from './support/users.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const minimal = {
  schemas: [core],
  userName: 'bjensen',
  name: { givenName: 'Barbara', familyName: 'Jensen' },
  emails: [{ value: 'bjensen@example.com', primary: true }],
};
const minimalProfile = {
  userName: 'bjensen',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  emails: [{ value: 'bjensen@example.com', primary: true }],
};

/** Parses the minimal user with other attributes, as JSON would bring them. */
function parse(attributes: Record<string, unknown>) {
  return parseUserResource(JSON.parse(JSON.stringify({ ...minimal, ...attributes })), userSchema);
}

const full = {
  externalId: 'ext',
  name: {
    formatted: 'Ms. Barbara J Jensen, III',
    familyName: 'Jensen',
    givenName: 'Barbara',
    middleName: 'Jane',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.com/bjensen',
  title: 'Tour Guide',
  userType: 'Employee',
  preferredLanguage: 'en-US',
  locale: 'en-US',
  timezone: 'America/Los_Angeles',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  phoneNumbers: [{ value: '+1 555-555-8377', type: 'work', primary: true }],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [{ value: 'https://photos.example.com/F.png', type: 'photo' }],
  addresses: [
    {
      formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'USA',
      type: 'work',
      primary: true,
    },
  ],
  entitlements: [{ value: 'entitlement', display: 'An entitlement' }],
  roles: [{ value: 'role', display: 'A role' }],
};

t.test('a minimal user', async (t) => {
  t.strictSame(parse({}), { profile: minimalProfile, activeGiven: false });
});

t.test('a full user', async (t) => {
  t.strictSame(parse({ ...full, password: 'S3cret!!' }), {
    profile: { userName: 'bjensen', ...full },
    password: 'S3cret!!',
    activeGiven: true,
  });
});

t.test('a rendered user is parsed again without loss', async (t) => {
  const user = userOf(full);
  const { profile } = parseUserResource(
    renderUser(user, { baseUrl: 'https://example.com', userSchema }),
    userSchema,
  );
  const {
    id: _id,
    orgId: _orgId,
    version: _version,
    created: _created,
    lastModified: _modified,
    ...kept
  } = user;
  const { displayNameGiven: given, ...values } = kept;
  t.equal(given, true);
  t.strictSame(profile, values);
});

const ignored: Record<string, Record<string, unknown>> = {
  'unknown attributes': { groups: [{ value: 'g' }], x509Certificates: [], shoeSize: 42 },
  'unknown extensions': {
    schemas: [core, 'urn:ietf:params:scim:schemas:extension:other:2.0:User', 'urn:scim:schemas:core:1.0'],
    'urn:ietf:params:scim:schemas:extension:other:2.0:User': { department: 'x', manager: { value: 1 } },
  },
  'read-only attributes': { id: 'mine', meta: { version: 7, created: 'never' } },
  nulls: { title: null, emails: [...minimal.emails, null], locale: null, phoneNumbers: null, password: null },
  'empty values': { title: '', nickName: '', roles: [], password: '', active: '' },
  'values without their value': {
    phoneNumbers: [{ type: 'work' }, { type: 'home', value: '' }, {}],
    ims: [{ type: 'a' }],
  },
  'unknown sub-attributes': { emails: [{ ...minimal.emails[0], shown: 'x', $ref: { y: 1 } }] },
  'names that objects have anyway': {
    ['__proto__']: { title: 'x' },
    constructor: 'x',
    toString: 'x',
    hasOwnProperty: 1,
  },
};

t.test('a value that is left out has no text that is too long', async (t) => {
  const long = { phoneNumbers: [{ type: 'x'.repeat(501), value: '' }] };
  t.throws(() => parse(long), { message: 'phoneNumbers.type has more than 500 characters' });
  t.doesNotThrow(() => parse({ phoneNumbers: [{ type: 'x'.repeat(500), value: '' }] }));
});

t.test('ignored attributes', async (t) => {
  for (const [name, attributes] of Object.entries(ignored)) {
    t.strictSame(parse(attributes), { profile: minimalProfile, activeGiven: false }, name);
  }
});

t.test('only userName is required', async (t) => {
  const { name: _name, emails: _emails, ...bare } = minimalProfile;
  const unassigned = [
    { name: undefined, emails: undefined },
    { name: null, emails: null },
    { name: {}, emails: [] },
    { name: { familyName: '', givenName: null }, emails: [{ primary: true }] },
  ];
  for (const attributes of unassigned)
    t.strictSame(parse(attributes), { profile: bare, activeGiven: false }, JSON.stringify(attributes));
  const parts = parse({ name: { familyName: 'x', givenName: '' } }).profile;
  t.strictSame(parts.name, { familyName: 'x' }, 'each part by itself');
});

t.test('every complex list keeps display, type and primary', async (t) => {
  const parts = { display: 'D', type: 'T', primary: true };
  for (const name of ['emails', 'phoneNumbers', 'ims', 'photos', 'addresses', 'roles', 'entitlements']) {
    const value = name === 'addresses' ? { country: 'CH', ...parts } : { value: 'v', ...parts };
    const { profile } = parse({ [name]: [{ ...value, primary: 'True', unknown: [1] }] });
    t.strictSame((profile as unknown as Record<string, unknown>)[name], [value], name);
  }
});

t.test('a legacy URN of the User schema is enough', async (t) => {
  for (const schema of [
    'urn:scim:schemas:core:2.0',
    'urn:scim:schemas:core:1.0',
    'urn:scim:schemas:core:2.0:User',
  ])
    t.strictSame(parse({ schemas: [schema] }).profile, minimalProfile, schema);
});

t.test('names have no letter case, some clients quote booleans', async (t) => {
  const parsed = parseUserResource(
    {
      SCHEMAS: [core.toUpperCase()],
      USERNAME: 'bjensen',
      Name: { GIVENNAME: 'Barbara', familyname: 'Jensen' },
      eMails: [{ Value: 'bjensen@example.com', PRIMARY: 'True' }],
      Active: 'False',
    },
    userSchema,
  );
  t.strictSame(parsed, { profile: { ...minimalProfile, active: false }, activeGiven: true });
});

t.test('an empty text unassigns whatever it stands for', async (t) => {
  const { profile } = parse({
    ...{ name: '', emails: '', addresses: [''], active: '', title: '', locale: '', password: '' },
    ...{ [enterprise]: '', [core]: '' },
  });
  t.strictSame(profile, parse({ name: null, emails: null }).profile);
});

t.test('a number or a boolean where a text belongs is its text', async (t) => {
  const { profile } = parse({
    externalId: 701984,
    title: true,
    name: { familyName: -0, givenName: 1.5 },
    roles: [{ value: 9007199254740991, display: false }],
    [enterprise]: { employeeNumber: 0, manager: 7 },
    password: 12345678,
  });
  t.match(profile, {
    externalId: '701984',
    title: 'true',
    name: { familyName: '0', givenName: '1.5' },
    roles: [{ value: '9007199254740991', display: 'false' }],
    employeeNumber: '0',
    manager: '7',
  });
  t.equal(parse({ password: 12345678 }).password, '12345678');
});

t.test('attributes under the URN of the schema, and whole paths, are as those beside them', async (t) => {
  const expected = { ...minimalProfile, title: 'Chief', department: 'Sales', manager: 'm', active: false };
  const { userName, name, emails } = minimal;
  const forms: Record<string, unknown>[] = [
    {
      [core]: { userName, name, emails, Title: 'Chief', active: 'False' },
      [enterprise]: { department: 'Sales', manager: 'm' },
    },
    {
      ['urn:scim:schemas:core:1.0']: {
        userName,
        name,
        emails,
        active: false,
        title: 'Chief',
        schemas: ['x'],
        id: 'x',
      },
      [`${enterprise}:department`]: 'Sales',
      [`${enterprise.toUpperCase()}:Manager.Value`]: 'm',
    },
    {
      ...{ userName, name, emails },
      [core]: { title: 'Guide' },
      [`${core}:title`]: 'Chief',
      [`${core}:active`]: false,
      [`${enterprise}:department`]: 'Sales',
      [enterprise]: { manager: { value: 'm' }, department: null },
    },
    {
      ...{ userName, emails, title: 'Chief', Active: false, 'name.familyName': 'Jensen' },
      [core]: { 'name.givenName': 'Barbara' },
      [`${enterprise}.department`]: 'Sales',
      [`${enterprise}.manager.value`]: 'm',
    },
    {
      ...{ userName, emails, title: 'Chief', active: false },
      [`${core}.name.familyName`]: 'Jensen',
      [`${core}:name.givenName`]: 'Barbara',
      [enterprise]: { department: 'Sales' },
      [`${enterprise}:manager`]: { value: 'm' },
    },
  ];
  for (const form of forms) {
    const body = { schemas: [core], ...form };
    const before = structuredClone(body);
    const parsed = parseUserResource(body, userSchema);
    t.strictSame(parsed, { profile: expected, activeGiven: true }, JSON.stringify(form));
    t.strictSame(body, before, 'the body stays as it was');
  }
  for (const nothing of ['', null]) {
    const objects = { name: nothing, [enterprise]: nothing };
    const paths = { 'name.givenName': 'Ann', [`${enterprise}:department`]: 'Sales' };
    const expected = { ...minimalProfile, name: { givenName: 'Ann' }, department: 'Sales' };
    t.strictSame(parse({ ...objects, ...paths }).profile, expected, JSON.stringify(nothing));
  }
  const twice = { 'name.givenName': 'Ann', name: { givenName: 'Bea' }, 'emails.value': 'x' };
  t.strictSame(
    parse(twice).profile,
    { ...minimalProfile, name: { givenName: 'Ann' } },
    'a part counts before the object, and lists have no such parts',
  );
  const harmless = { [core]: null, [`${core}:emails.value`]: 'x', [`${core}:id`]: 'x', [`${core}:none`]: 1 };
  t.strictSame(parse(harmless).profile, minimalProfile);
  for (const value of [['x'], 'x', '{"title":"Chief"}', 5, true])
    t.equal(
      outcome(() => parse({ [core.toUpperCase()]: value })),
      'invalidSyntax',
      JSON.stringify(value),
    );
  t.equal(
    outcome(() => parseUserResource({ [core]: { schemas: [core], userName } }, userSchema)),
    'invalidSyntax',
    'schemas stands beside them',
  );
  t.equal(
    outcome(() => parse({ [enterprise]: 'x', [`${enterprise}:department`]: 'Sales' })),
    'invalidSyntax',
  );
});

t.test('many parts of a large object are read in linear time', async (t) => {
  const bodyOf = (count: number) => ({
    ...minimal,
    [enterprise]: Object.fromEntries(Array.from({ length: count }, (_, n) => [`unknown-${n}`, n])),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`${enterprise}:${spelling('department', n)}`, 'x']),
    ),
  });
  /** One of the ways to write a name in small and large letters. */
  const spelling = (name: string, n: number) =>
    [...name].map((letter, bit) => (n & (1 << bit) ? letter.toUpperCase() : letter)).join('');
  const bodies = new Map([250, 1_000].map((count) => [count, bodyOf(count)]));
  const growth = growthByFour(250, (count) => void parseUserResource(bodies.get(count), userSchema));
  t.ok(growth < 8, `${growth} times for four times as many`);
});

const refused: [name: string, attributes: Record<string, unknown>, scimType: string][] = [
  ['no schemas', { schemas: undefined }, 'invalidSyntax'],
  ['empty schemas', { schemas: [] }, 'invalidSyntax'],
  ['schemas is no list', { schemas: core }, 'invalidSyntax'],
  ['another schema', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] }, 'invalidSyntax'],
  ['a legacy schema of another resource', { schemas: ['urn:scim:schemas:core:1.0:Group'] }, 'invalidSyntax'],
  ['no userName', { userName: undefined }, 'invalidValue'],
  ['null userName', { userName: null }, 'invalidValue'],
  ['empty userName', { userName: '' }, 'invalidValue'],
  ['a NUL character', { title: 'a\u0000b' }, 'invalidValue'],
  ['a control character', { emails: [{ value: 'a@b.c', type: 'work\u001f' }] }, 'invalidValue'],
  ['half a surrogate pair', { emails: [{ value: 'a@b.c', type: '\ud800' }] }, 'invalidValue'],
  ['too many values', { roles: Array.from({ length: 201 }, () => ({ value: 'x' })) }, 'invalidValue'],
  ['a number whose digits JSON parsers change', { externalId: -(2 ** 53) }, 'invalidSyntax'],
  ['userName is a list', { userName: ['bjensen'] }, 'invalidSyntax'],
  ['name is a string', { name: 'Barbara' }, 'invalidSyntax'],
  ['name is a list', { name: [{ givenName: 'a', familyName: 'b' }] }, 'invalidSyntax'],
  ['givenName is an object', { name: { givenName: {}, familyName: 'b' } }, 'invalidSyntax'],
  ['emails is an object', { emails: { value: 'a@example.com' } }, 'invalidSyntax'],
  ['emails is a list of strings', { emails: ['a@example.com'] }, 'invalidSyntax'],
  ['email value is a list', { emails: [{ value: [1] }] }, 'invalidSyntax'],
  ['primary is a number', { emails: [{ value: 'a@example.com', primary: 1 }] }, 'invalidSyntax'],
  ['active is a number', { active: 1 }, 'invalidSyntax'],
  ['active is another word', { active: 'yes' }, 'invalidSyntax'],
  ['password is an object', { password: { $ne: '' } }, 'invalidSyntax'],
];

t.test('refused attributes', async (t) => {
  for (const [name, attributes, scimType] of refused) {
    t.equal(
      outcome(() => parse(attributes)),
      scimType,
      name,
    );
  }
  for (const body of [undefined, null, 'x', 5, [minimal]]) {
    t.equal(
      outcome(() => parseUserResource(body, userSchema)),
      'invalidSyntax',
      JSON.stringify(body),
    );
  }
});

t.test('an error names all that is missing', async (t) => {
  t.throws(() => parseUserResource({ schemas: [core] }, userSchema), {
    message: 'Required: userName',
  });
  t.throws(() => parse({ emails: [{ value: {} }] }), { message: 'emails.value must be a string' });
});
