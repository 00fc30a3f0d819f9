import type { Group } from '#src/people/groups/index.js';
import { entityTag } from '../protocol/entity-tag.js';
import { urns } from '../protocol/urns.js';
import { userLocation } from './render-user.js';
import type { ScimResource } from './scim-resource.js';

/**
 * Renders a group as a SCIM resource (RFC 7643 section 4.2), without its members.
 * @param baseUrl SCIM base URL of the organization, without a trailing slash
 */
export function renderGroup(group: Group, baseUrl: string): ScimResource {
  return {
    schemas: [urns.group],
    id: group.id,
    ...(group.externalId !== undefined && { externalId: group.externalId }),
    displayName: group.displayName,
    meta: {
      resourceType: 'Group',
      created: group.created.toISOString(),
      lastModified: group.lastModified.toISOString(),
      version: entityTag(group),
      location: groupLocation(group.id, baseUrl),
    },
  };
}

/** Renders a member of a group. */
export function renderMember(userId: string, display: string, baseUrl: string): ScimResource {
  return { value: userId, $ref: userLocation(userId, baseUrl), type: 'User', display };
}

/** Renders a group of a user (RFC 7643 section 4.1.2). */
export function renderGroupOfUser(groupId: string, display: string, baseUrl: string): ScimResource {
  return { value: groupId, $ref: groupLocation(groupId, baseUrl), display, type: 'direct' };
}

/** The URL of a group. */
export function groupLocation(id: string, baseUrl: string): string {
  return `${baseUrl}/Groups/${encodeURIComponent(id)}`;
}
