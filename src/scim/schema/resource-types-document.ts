import { type ListResponse, listResponse } from '../list/list-response.js';
import { urns } from '../protocol/urns.js';
import type { ScimResource } from '../resources/scim-resource.js';

/** The answer of `/ResourceTypes` (RFC 7643 section 6). */
export function resourceTypesDocument(baseUrl: string): ListResponse {
  return listResponse({ resources: [userResourceType(baseUrl)], totalResults: 1 });
}

/** The answer of `/ResourceTypes/{name}`. Undefined if there is no such resource type. */
export function resourceTypeDocument(baseUrl: string, name: string): ScimResource | undefined {
  return name.toLowerCase() === 'user' ? userResourceType(baseUrl) : undefined;
}

function userResourceType(baseUrl: string): ScimResource {
  return {
    schemas: [urns.resourceType],
    id: 'User',
    name: 'User',
    description: 'A person of the organization',
    endpoint: '/Users',
    schema: urns.user,
    schemaExtensions: [{ schema: urns.userExtension, required: false }],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/User` },
  };
}
