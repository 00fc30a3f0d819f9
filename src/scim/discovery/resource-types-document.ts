import { type ListResponse, listResponse } from '../list/list-response.js';
import { urns } from '../protocol/urns.js';
import type { ScimResource } from '../resources/scim-resource.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { userSchema } from '../schema/user-attributes.js';

interface ResourceType {
  readonly schema: ResourceSchema;
  readonly description: string;
  readonly endpoint: string;
}

function typesWith(users: ResourceSchema): readonly ResourceType[] {
  return [
    { schema: users, description: 'A person of the organization', endpoint: '/Users' },
    {
      schema: groupSchema,
      description: 'Users of the organization who belong together',
      endpoint: '/Groups',
    },
  ];
}

/**
 * The answer of `/ResourceTypes` (RFC 7643 section 6).
 * @param users the User schema as far as the caller may know it
 */
export function resourceTypesDocument(baseUrl: string, users: ResourceSchema = userSchema): ListResponse {
  const types = typesWith(users);
  return listResponse({ resources: types.map((type) => render(type, baseUrl)), totalResults: types.length });
}

/** The answer of `/ResourceTypes/{name}`. Undefined if there is no such resource type. */
export function resourceTypeDocument(
  baseUrl: string,
  name: string,
  users: ResourceSchema = userSchema,
): ScimResource | undefined {
  const found = typesWith(users).find(({ schema }) => schema.name.toLowerCase() === name.toLowerCase());
  return found && render(found, baseUrl);
}

function render({ schema, description, endpoint }: ResourceType, baseUrl: string): ScimResource {
  const { name, urn, extensions } = schema;
  return {
    schemas: [urns.resourceType],
    id: name,
    name,
    description,
    endpoint,
    schema: urn,
    ...(extensions.length > 0 && {
      schemaExtensions: extensions.map(({ name: id, subAttributes = [] }) => ({
        schema: id,
        required: subAttributes.some(({ required }) => required),
      })),
    }),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  };
}
