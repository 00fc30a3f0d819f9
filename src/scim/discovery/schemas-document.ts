import type { ExtensionSchemas } from '#src/directory/index.js';
import { type ListResponse, listResponse } from '../list/list-response.js';
import { urns } from '../protocol/urns.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { Attribute } from '../schema/attribute.js';
import { enterpriseUser } from '../schema/enterprise-attributes.js';
import { groupSchema } from '../schema/group-attributes.js';
import { registeredExtension } from '../schema/registered-schema.js';
import {
  resourceTypeAttributes,
  schemaAttributes,
  serviceProviderConfigAttributes,
} from '../schema/service-attributes.js';
import { userAttributes, userExtension } from '../schema/user-attributes.js';

interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** The registered schemas of an organization. */
type Registered = Pick<ExtensionSchemas, 'schemas'>;

const none: Registered = { schemas: [] };

const schemas: readonly Schema[] = [
  { id: urns.user, name: 'User', description: 'A person of the organization', attributes: userAttributes },
  {
    id: urns.group,
    name: 'Group',
    description: 'Users of the organization who belong together',
    attributes: groupSchema.core,
  },
  {
    id: urns.enterpriseUser,
    name: 'EnterpriseUser',
    description: enterpriseUser.description,
    attributes: enterpriseUser.subAttributes ?? [],
  },
  {
    id: urns.userExtension,
    name: 'UserExtension',
    description: userExtension.description,
    attributes: userExtension.subAttributes ?? [],
  },
  {
    id: urns.serviceProviderConfig,
    name: 'ServiceProviderConfig',
    description: 'What the service supports',
    attributes: serviceProviderConfigAttributes,
  },
  {
    id: urns.resourceType,
    name: 'ResourceType',
    description: 'A kind of resource',
    attributes: resourceTypeAttributes,
  },
  {
    id: urns.schema,
    name: 'Schema',
    description: 'The attributes of a resource',
    attributes: schemaAttributes,
  },
];

/** The schemas of the service, and those that an organization has registered. */
function allSchemas({ schemas: registered }: Registered): readonly Schema[] {
  const ofOrganization = registered.map((schema) => ({
    ...schema,
    attributes: registeredExtension(schema).subAttributes ?? [],
  }));
  return [...schemas, ...ofOrganization];
}

/**
 * The answer of `/Schemas` (RFC 7644 section 4).
 * @param registered what the caller may know about the organization
 */
export function schemasDocument(baseUrl: string, registered: Registered = none): ListResponse {
  const all = allSchemas(registered);
  return listResponse({ resources: all.map((schema) => render(schema, baseUrl)), totalResults: all.length });
}

/** The answer of `/Schemas/{id}`. Undefined if there is no such schema. */
export function schemaDocument(
  baseUrl: string,
  id: string,
  registered: Registered = none,
): ScimResource | undefined {
  const schema = allSchemas(registered).find((candidate) => candidate.id.toLowerCase() === id.toLowerCase());
  return schema && render(schema, baseUrl);
}

function render({ id, name, description, attributes }: Schema, baseUrl: string): ScimResource {
  return {
    schemas: [urns.schema],
    id,
    name,
    description,
    attributes: attributes.map(renderAttribute),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  };
}

/** The characteristics of RFC 7643 section 7. What else the table says is internal and left out. */
function renderAttribute({
  search: _search,
  staysWhenUnassigned: _stays,
  bareValue: _bare,
  isMade: _made,
  refusesIncomplete: _refuses,
  key: _key,
  shape: _shape,
  most: _most,
  subAttributes,
  ...characteristics
}: Attribute): ScimResource {
  return { ...characteristics, ...(subAttributes && { subAttributes: subAttributes.map(renderAttribute) }) };
}
