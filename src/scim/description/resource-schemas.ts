import type { JsonSchema } from '#src/http/base/description.js';
import { urns } from '../protocol/urns.js';
import type { Attribute } from '../schema/attribute.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import {
  resourceTypeAttributes,
  schemaAttributes,
  serviceProviderConfigAttributes,
} from '../schema/service-attributes.js';
import { userSchema } from '../schema/user-attributes.js';
import { emptyText, partsInRequest, partsInResponse } from './attribute-schemas.js';
import { schemasWith } from './schemas-with.js';

/** The names of the extensions of the service in the document. */
const extensionTitles: Readonly<Record<string, string>> = {
  [urns.enterpriseUser]: 'EnterpriseUser',
  [urns.userExtension]: 'UserClaims',
};

/** A resource in a response. `attributes` and `excludedAttributes` of the request decide what it has beside `schemas` and `id`. */
function resourceInResponse({ name, urn, attributes, extensions }: ResourceSchema): JsonSchema {
  const common = attributes.filter((attribute) => !extensions.includes(attribute));
  return {
    title: name,
    description: `${name} (${urn})`,
    type: 'object',
    required: ['schemas', 'id'],
    properties: {
      ...partsInResponse(common),
      schemas: schemasWith(urn),
      ...byName(extensions, ({ name: id, description, subAttributes = [] }) => ({
        title: extensionTitles[id],
        description,
        type: 'object',
        properties: partsInResponse(subAttributes),
        additionalProperties: false,
      })),
    },
    // The schemas by which the organization extends its users.
    ...(extensions.length > 0 && { patternProperties: { '^urn:': { type: 'object' } } }),
    additionalProperties: false,
  };
}

/** A resource in a request. What is read-only or unknown is ignored. */
function resourceInRequest({ name, urn, attributes, extensions }: ResourceSchema): JsonSchema {
  const common = attributes.filter((attribute) => !extensions.includes(attribute));
  const required = common
    .filter((one) => one.required && one.mutability !== 'readOnly')
    .map((one) => one.name);
  return {
    title: `${name}Request`,
    description: `${name} to create or to replace (${urn}). Names have any letter case. Attributes may stand under the URN of the schema. Unknown and read-only attributes are ignored`,
    type: 'object',
    required: ['schemas', ...required],
    properties: {
      schemas: schemasWith(urn),
      ...partsInRequest(common),
      ...byName(extensions, ({ name: id, description, subAttributes = [] }) => ({
        title: `${extensionTitles[id]}Request`,
        description,
        type: ['object', 'null', 'string'],
        ...emptyText,
        properties: partsInRequest(subAttributes),
      })),
    },
  };
}

function byName(extensions: readonly Attribute[], made: (extension: Attribute) => JsonSchema) {
  return Object.fromEntries(extensions.map((extension) => [extension.name, made(extension)]));
}

/** A resource that describes the service. */
function serviceResource(title: string, urn: string, attributes: readonly Attribute[]): JsonSchema {
  const required = attributes.filter((one) => one.required).map((one) => one.name);
  return {
    title,
    description: `${title} (${urn})`,
    type: 'object',
    required: ['schemas', ...required, 'meta'],
    properties: {
      schemas: schemasWith(urn),
      ...partsInResponse(attributes),
      meta: {
        type: 'object',
        required: ['resourceType', 'location'],
        properties: { resourceType: { type: 'string' }, location: { type: 'string' } },
      },
    },
    additionalProperties: false,
  };
}

/** Attributes have sub-attributes, which are attributes too. */
function schemaResource(): JsonSchema {
  const schema = serviceResource('Schema', urns.schema, schemaAttributes);
  const [list] = schemaAttributes.filter(({ name }) => name === 'attributes');
  const attribute = partsInResponse(list?.subAttributes ?? []);
  const required = list?.subAttributes?.filter((one) => one.required).map(({ name }) => name);
  const items = {
    title: 'SchemaAttribute',
    type: 'object',
    required,
    properties: {
      ...attribute,
      subAttributes: { type: 'array', items: { $ref: '#/components/schemas/SchemaAttribute' } },
    },
    additionalProperties: false,
  };
  const { properties } = schema as { properties: object };
  // Libraries that are generated for Java import another class of the name Schema.
  const title = 'ScimSchema';
  return { ...schema, title, properties: { ...properties, attributes: { type: 'array', items } } };
}

/** The resources of SCIM, in responses and in requests. */
export const resourceSchemas = {
  User: resourceInResponse(userSchema),
  UserRequest: resourceInRequest(userSchema),
  Group: resourceInResponse(groupSchema),
  GroupRequest: resourceInRequest(groupSchema),
  ServiceProviderConfig: serviceResource(
    'ServiceProviderConfig',
    urns.serviceProviderConfig,
    serviceProviderConfigAttributes,
  ),
  Schema: schemaResource(),
  ResourceType: serviceResource('ResourceType', urns.resourceType, resourceTypeAttributes),
};
