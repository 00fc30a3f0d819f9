import { type ListResponse, listResponse } from '../list/list-response.js';
import { urns } from '../protocol/urns.js';
import type { ScimResource } from '../resources/scim-resource.js';
import { groupSchema } from './group-attributes.js';
import type { ResourceSchema } from './resource-schema.js';
import { userSchema } from './user-attributes.js';

const types: readonly { schema: ResourceSchema; description: string; endpoint: string }[] = [
  { schema: userSchema, description: 'A person of the organization', endpoint: '/Users' },
  { schema: groupSchema, description: 'Users of the organization who belong together', endpoint: '/Groups' },
];

/** The answer of `/ResourceTypes` (RFC 7643 section 6). */
export function resourceTypesDocument(baseUrl: string): ListResponse {
  return listResponse({ resources: types.map((type) => render(type, baseUrl)), totalResults: types.length });
}

/** The answer of `/ResourceTypes/{name}`. Undefined if there is no such resource type. */
export function resourceTypeDocument(baseUrl: string, name: string): ScimResource | undefined {
  const found = types.find(({ schema }) => schema.name.toLowerCase() === name.toLowerCase());
  return found && render(found, baseUrl);
}

function render({ schema, description, endpoint }: (typeof types)[number], baseUrl: string): ScimResource {
  const { name, urn, extensions } = schema;
  return {
    schemas: [urns.resourceType],
    id: name,
    name,
    description,
    endpoint,
    schema: urn,
    ...(extensions.length > 0 && {
      schemaExtensions: extensions.map((extension) => ({ schema: extension.name, required: false })),
    }),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  };
}
