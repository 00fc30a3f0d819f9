import t from 'tap';
import { resourceTypeDocument, resourceTypesDocument } from '#src/scim/discovery/resource-types-document.js';
import { schemaDocument, schemasDocument } from '#src/scim/discovery/schemas-document.js';
import { serviceProviderConfig } from '#src/scim/discovery/service-provider-config.js';
import { renderGroup, renderGroupOfUser, renderMember } from '#src/scim/resources/render-group.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import type { ScimResource } from '#src/scim/resources/scim-resource.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { userOf } from './support/users.js';

const base = 'https://id.example.com/scim/v2/org';
const core = 'urn:ietf:params:scim:schemas:core:2.0';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const extension = 'urn:ietf:params:scim:schemas:extension:service:2.0:User';

interface Described {
  name: string;
  type: string;
  multiValued: boolean;
  subAttributes?: Described[];
  [characteristic: string]: unknown;
}

function attributesOf(schema: ScimResource | undefined): Described[] {
  return (schema?.['attributes'] ?? []) as Described[];
}

/** Names that a resource has and its schema does not describe with the right type, with the path to them. */
function undescribed(resource: Record<string, unknown>, attributes: Described[], path = ''): string[] {
  return Object.entries(resource).flatMap(([name, value]) => {
    const attribute = attributes.find((candidate) => candidate.name === name);
    const values = Array.isArray(value) ? value : [value];
    if (attribute === undefined || attribute.multiValued !== Array.isArray(value)) return [path + name];
    return values.flatMap((item) => {
      if (typeof item === 'object')
        return undescribed(item, attribute.subAttributes ?? [], `${path}${name}.`);
      const types: Record<string, string[]> = {
        string: ['string', 'reference', 'dateTime'],
        boolean: ['boolean'],
        number: ['integer'],
      };
      return types[typeof item]?.includes(attribute.type) ? [] : [`${path}${name}: ${attribute.type}`];
    });
  });
}

const created = new Date('2026-01-01T00:00:00Z');

t.test('/Schemas lists the schema of every resource', async (t) => {
  const list = schemasDocument(base);
  t.match(list, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 7,
    itemsPerPage: 7,
    startIndex: 1,
  });
  t.strictSame(
    list.Resources.map((schema) => schema['id']),
    [
      `${core}:User`,
      `${core}:Group`,
      enterprise,
      extension,
      ...['ServiceProviderConfig', 'ResourceType', 'Schema'].map((name) => `${core}:${name}`),
    ],
  );
  for (const schema of list.Resources) {
    t.strictSame(schema['schemas'], [`${core}:Schema`]);
    t.strictSame(schema['meta'], { resourceType: 'Schema', location: `${base}/Schemas/${schema['id']}` });
    t.strictSame(schemaDocument(base, schema['id'] as string), schema, 'the same when it is asked for alone');
  }
  t.equal(schemaDocument(base, `${core}:Device`), undefined);
  t.equal(schemaDocument(base, '__proto__'), undefined);
});

t.test('resources are as their schemas say', async (t) => {
  const user = userOf({
    nickName: 'n',
    profileUrl: 'https://example.com',
    title: 't',
    userType: 'u',
    locale: 'en-US',
    timezone: 'Europe/Zurich',
    name: { givenName: 'g', familyName: 'f', middleName: 'm', honorificPrefix: 'p', honorificSuffix: 's' },
    phoneNumbers: [{ value: '+15555558377', type: 'work' }],
    ims: [{ value: 'i', type: 'aim' }],
    photos: [{ value: 'https://example.com/p', type: 'photo' }],
    addresses: [{ type: 'work', country: 'CH', primary: true }],
    roles: [{ value: 'r', display: 'R', type: 't', primary: true }],
    entitlements: [{ value: 'e', display: 'E', type: 't', primary: true }],
  });
  const {
    schemas: _schemas,
    id: _id,
    meta: _meta,
    ...ofUser
  } = renderUser(user, { baseUrl: base, userSchema });
  const own = { ...ofUser, groups: [renderGroupOfUser('g', 'G', base)] };
  const schemaOf = (name: string) => attributesOf(schemaDocument(base, `${core}:${name}`));
  t.strictSame(undescribed(own, schemaOf('User')), []);
  t.strictSame(
    schemaOf('User')
      .map(({ name }) => name)
      .filter((name) => !(name in own)),
    ['password'],
    'all that is described is returned, but the password',
  );

  const group = {
    id: 'g',
    orgId: 'o',
    displayName: 'G',
    externalId: 'x',
    version: 1,
    created,
    lastModified: created,
  };
  const { schemas: _s1, id: _i1, meta: _m1, externalId: _e1, ...shownOfGroup } = renderGroup(group, base);
  const withMembers = { ...shownOfGroup, members: [renderMember('u', 'U', base)] };
  t.strictSame(undescribed(withMembers, schemaOf('Group')), []);
  t.strictSame(
    schemaOf('Group').map(({ name }) => name),
    Object.keys(withMembers),
  );

  const { schemas: _s, meta: _m, ...config } = serviceProviderConfig(base, 'https://example.com/docs');
  t.strictSame(undescribed(config, schemaOf('ServiceProviderConfig')), []);
  const { schemas: _s2, meta: _m2, ...resourceType } = resourceTypeDocument(base, 'User') ?? {};
  t.strictSame(undescribed(resourceType, schemaOf('ResourceType')), []);
  for (const { schemas: _s3, meta: _m3, ...schema } of schemasDocument(base).Resources) {
    // RFC 7643 section 7 describes sub-attributes of sub-attributes in words only: the schema has no bottom.
    const bottom = schema['id'] === `${core}:Schema` ? ['attributes.subAttributes.subAttributes'] : [];
    t.strictSame(undescribed(schema, schemaOf('Schema')), bottom, String(schema['id']));
  }
});

t.test('the extension of a user is as its schema says, under its URN', async (t) => {
  const values = { website: 'https://anna.example', birthdate: '1990-12-31', gender: 'female' };
  const { schemas, [extension]: own } = renderUser(userOf(values), { baseUrl: base, userSchema });
  t.strictSame(schemas, [`${core}:User`, extension]);
  t.strictSame(own, values);
  const described = attributesOf(schemaDocument(base, extension));
  t.strictSame(
    described.map(({ name }) => name),
    Object.keys(values),
  );
  t.strictSame(undescribed(values, described), []);
  t.strictSame(renderUser(userOf({ gender: 'x' }), { baseUrl: base, userSchema })[extension], {
    gender: 'x',
  });
  const { schemas: plain, ...without } = renderUser(userOf(), { baseUrl: base, userSchema });
  t.strictSame(plain, [`${core}:User`]);
  t.notOk(extension in without, 'absent without values');
});

t.test('the enterprise extension is as its schema says', async (t) => {
  const values = {
    employeeNumber: '1',
    costCenter: 'c',
    organization: 'o',
    division: 'd',
    department: 'e',
    manager: 'm',
  };
  const { [enterprise]: own } = renderUser(
    userOf(values),
    { baseUrl: base, userSchema },
    { managerName: 'M' },
  );
  const described = attributesOf(schemaDocument(base, enterprise));
  t.strictSame(
    described.map(({ name }) => name),
    Object.keys(values),
    'as in RFC 7643 section 4.3',
  );
  t.strictSame(undescribed(own as ScimResource, described), []);
  const manager = described.find(({ name }) => name === 'manager');
  t.strictSame(
    manager?.subAttributes?.map(({ name, mutability }) => [name, mutability]),
    [
      ['value', 'readWrite'],
      ['$ref', 'readWrite'],
      ['displayName', 'readOnly'],
    ],
    'as in RFC 7643 section 8.7.1',
  );
  t.notMatch(JSON.stringify(described), /search|fold|bareValue|isMade/, 'how it is stored stays inside');
});

t.test('characteristics of the User schema', async (t) => {
  const user = attributesOf(schemaDocument(base, `${core}:User`));
  const find = (name: string) => user.find((attribute) => attribute.name === name);
  t.strictSame(find('userName'), {
    name: 'userName',
    type: 'string',
    multiValued: false,
    description: 'Login name, unique within the organization.',
    required: true,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'server',
  });
  t.match(find('password'), { mutability: 'writeOnly', returned: 'never', required: false });
  t.match(find('emails'), { type: 'complex', multiValued: true, required: false });
  t.strictSame(
    user.filter(({ required }) => required).map(({ name }) => name),
    ['userName'],
    'as in RFC 7643 section 4.1',
  );
  t.ok(find('name')?.subAttributes?.every(({ required }) => required === false));
  t.strictSame(
    find('emails')?.subAttributes?.map(({ name }) => name),
    ['value', 'display', 'type', 'primary'],
  );
  t.match(find('profileUrl'), { type: 'reference', referenceTypes: ['external'] });
  t.notMatch(JSON.stringify(user), /search|fold|Reversed/, 'how it is stored stays inside');
});

t.test('characteristics of the Group schema', async (t) => {
  const group = attributesOf(schemaDocument(base, `${core}:Group`));
  const members = group.find(({ name }) => name === 'members')?.subAttributes ?? [];
  t.strictSame(
    members.map(({ name, mutability }) => [name, mutability]),
    [
      ['value', 'immutable'],
      ['$ref', 'immutable'],
      ['type', 'immutable'],
      ['display', 'readOnly'],
    ],
    'as in RFC 7643 section 8.7.1',
  );
  t.notMatch(JSON.stringify(group), /isMade|refusesIncomplete|shape/, 'how it is read stays inside');
  const groups = attributesOf(schemaDocument(base, `${core}:User`)).find(({ name }) => name === 'groups');
  t.ok(groups?.subAttributes?.every(({ mutability }) => mutability === 'readOnly'));
});

t.test('/ResourceTypes', async (t) => {
  const user = {
    schemas: [`${core}:ResourceType`],
    id: 'User',
    name: 'User',
    description: 'A person of the organization',
    endpoint: '/Users',
    schema: `${core}:User`,
    schemaExtensions: [
      { schema: enterprise, required: false },
      { schema: extension, required: false },
    ],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
  };
  const group = {
    schemas: [`${core}:ResourceType`],
    id: 'Group',
    name: 'Group',
    description: 'Users of the organization who belong together',
    endpoint: '/Groups',
    schema: `${core}:Group`,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/Group` },
  };
  t.strictSame(resourceTypesDocument(base).Resources, [user, group]);
  t.strictSame(resourceTypeDocument(base, 'group'), group);
  t.strictSame(resourceTypeDocument(base, 'User'), user);
  t.equal(resourceTypeDocument(base, 'Device'), undefined);
});

t.test('/ServiceProviderConfig', async (t) => {
  t.match(serviceProviderConfig(base, 'https://example.com/docs'), {
    schemas: [`${core}:ServiceProviderConfig`],
    documentationUri: 'https://example.com/docs',
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1000000 },
    filter: { supported: true, maxResults: 100 },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: false },
    authenticationSchemes: [{ type: 'oauthbearertoken', primary: false }],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  });
});
