import type {
  ConnectionClient,
  ExtensionAttribute,
  ExtensionSchema,
  ExtensionSchemas,
  Organization,
} from '#src/directory/index.js';
import { type Attribute, attribute } from './attribute.js';
import type { ResourceSchema } from './resource-schema.js';
import { extensionRule } from './search-rule.js';
import { userSchema, userSchemaWith } from './user-attributes.js';

/** By the schemas of an organization, which its cache holds until they change. */
const known = new WeakMap<ExtensionSchemas, ResourceSchema>();

/** The User schema of an organization: the one of the service, extended by what the organization has registered. */
export function userSchemaOf({ extensionSchemas }: Pick<Organization, 'extensionSchemas'>): ResourceSchema {
  if (extensionSchemas === undefined || extensionSchemas.schemas.length === 0) return userSchema;
  let schema = known.get(extensionSchemas);
  if (schema === undefined) {
    schema = userSchemaWith(extensionSchemas.schemas.map(registeredExtension));
    known.set(extensionSchemas, schema);
  }
  return schema;
}

/** The User schema of an organization as a caller uses it. @param client absent for a caller that shares its externalIds with others */
export function userSchemaFor(
  organization: Pick<Organization, 'extensionSchemas'>,
  client: Pick<ConnectionClient, 'id'> | undefined,
): ResourceSchema {
  const schema = userSchemaOf(organization);
  return client === undefined ? schema : { ...schema, externalIdsOf: client.id };
}

/** A registered schema as an extension of users (RFC 7643 section 3.3). */
export function registeredExtension({ id, description, attributes }: ExtensionSchema): Attribute {
  return attribute(id, description, {
    type: 'complex',
    subAttributes: attributes.map(registeredAttribute),
  });
}

function registeredAttribute(registered: ExtensionAttribute): Attribute {
  const { name, key, type, description, multiValued, required, unique, searchable, canonicalValues } =
    registered;
  return attribute(name, description, {
    type,
    multiValued,
    required,
    key,
    uniqueness: unique ? 'server' : 'none',
    ...(type === 'reference' && { referenceTypes: ['external'] }),
    ...(canonicalValues && { canonicalValues }),
    ...(searchable && { search: extensionRule(key) }),
  });
}
