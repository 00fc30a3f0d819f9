import type { Permission } from '#src/directory/index.js';

/**
 * What a requester needs for an import or an export: of one organization to be its owner, and otherwise to be an owner of the instance.
 * @param orgId the organization of a request to `/admin/v1/orgs/{orgId}`
 */
export function migrationPermission(orgId: string | undefined): {
  readonly permission: Permission;
  readonly orgId?: string;
} {
  return orgId === undefined ? { permission: 'instance.manage' } : { permission: 'org.write', orgId };
}
