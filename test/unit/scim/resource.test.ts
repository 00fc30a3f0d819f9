import t from 'tap';
import { compileProjection } from '#src/scim/resources/project-attributes.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { outcome } from './support/outcome.js';
import { userOf } from './support/users.js';

const base = 'https://id.example.com/scim/v2/org';
const user = userOf(
  {
    externalId: 'ext',
    title: 'Guide',
    emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }, { value: 'babs@jensen.org' }],
    phoneNumbers: [{ value: '+1 555-555-8377', type: 'work' }],
  },
  'a b/ü',
);
const version = `W/"3-${Date.parse('2024-01-23T04:56:22.123Z').toString(36)}"`;
const rendered = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: 'a b/ü',
  externalId: 'ext',
  userName: 'bjensen@example.com',
  name: { formatted: 'Barbara Jensen', givenName: 'Barbara', familyName: 'Jensen' },
  displayName: 'Barbara Jensen',
  title: 'Guide',
  preferredLanguage: 'en',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', primary: false },
  ],
  phoneNumbers: [{ value: '+15555558377', type: 'work', primary: false }],
  meta: {
    resourceType: 'User',
    created: '2024-01-23T04:56:22.123Z',
    lastModified: '2024-05-13T04:42:34.000Z',
    version,
    location: `${base}/Users/a%20b%2F%C3%BC`,
  },
};

t.test('a user as a client sees it', async (t) => {
  t.strictSame(renderUser(user, { baseUrl: base, userSchema }), rendered);
});

t.test('nothing but published attributes is rendered', async (t) => {
  const stored = {
    ...user,
    password: { hash: '$argon2id$' },
    search: {},
    emails: [{ ...user.emails[0], verified: true }],
  };
  const text = JSON.stringify(renderUser(stored as never, { baseUrl: base, userSchema }));
  t.notMatch(text, /argon2id|search|verified|orgId/);
});

const { schemas, id } = rendered;
const always = { schemas, id };
const { title: _title, ...withoutTitle } = rendered;
const { meta: _meta, emails: _emails, ...withoutMetaAndEmails } = rendered;

const projections: [attributes: string[], excluded: string[], expected: Record<string, unknown>][] = [
  [[], [], rendered],
  [['userName'], [], { ...always, userName: 'bjensen@example.com' }],
  [['USERNAME', ' title '], [], { ...always, userName: 'bjensen@example.com', title: 'Guide' }],
  [['urn:ietf:params:scim:schemas:core:2.0:User:title'], [], { ...always, title: 'Guide' }],
  [
    ['name.givenName', 'Name.FamilyName'],
    [],
    { ...always, name: { givenName: 'Barbara', familyName: 'Jensen' } },
  ],
  [['name', 'name.givenName'], [], { ...always, name: rendered.name }],
  [['name.givenName', 'name'], [], { ...always, name: rendered.name }],
  [
    ['emails.value'],
    [],
    { ...always, emails: [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }] },
  ],
  [['emails.type'], [], { ...always, emails: [{ type: 'work' }] }],
  [['name.middleName', 'locale'], [], always],
  [['meta.version'], [], { ...always, meta: { version } }],
  [['unknown', '__proto__', 'constructor', 'password'], [], always],
  [[], ['title'], withoutTitle],
  [[], ['META', 'urn:ietf:params:scim:schemas:core:2.0:User:emails'], withoutMetaAndEmails],
  [[], ['id', 'schemas', 'unknown', '__proto__'], rendered],
  [[], ['name.formatted'], { ...rendered, name: { givenName: 'Barbara', familyName: 'Jensen' } }],
  [[], ['phoneNumbers.value', 'phoneNumbers.type'], { ...rendered, phoneNumbers: [{ primary: false }] }],
];

t.test('attributes and excludedAttributes', async (t) => {
  for (const [attributes, excluded, expected] of projections) {
    const { project } = compileProjection(userSchema, attributes, excluded);
    t.strictSame(project(rendered), expected, `attributes=${attributes} excludedAttributes=${excluded}`);
  }
  t.equal(
    outcome(() => compileProjection(userSchema, ['title'], ['name'])),
    'invalidValue',
    'both at once',
  );
});

t.test('a projection tells what it needs', async (t) => {
  t.strictSame([...(compileProjection(userSchema, ['emails.value', 'title']).needed ?? [])].sort(), [
    'emails',
    'id',
    'schemas',
    'title',
  ]);
  const needed = compileProjection(userSchema, [], ['title', 'name.formatted']).needed;
  t.notOk(needed?.has('title'));
  t.ok(needed?.has('name'), 'a part of it remains');
  t.equal(compileProjection(userSchema).needed, undefined);
});
