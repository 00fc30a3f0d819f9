/** What a caller may be allowed to do. SCIM needs the first three. */
export type Permission =
  | 'user.read'
  | 'user.write'
  | 'user.delete'
  | 'user.impersonate'
  | 'org.read'
  | 'org.write'
  | 'org.create'
  | 'instance.manage';

export const roles = [
  'IAM_OWNER',
  'ORG_OWNER',
  'ORG_USER_MANAGER',
  'ORG_USER_VIEWER',
  'IMPERSONATOR',
] as const;

export type Role = (typeof roles)[number];

/**
 * `IAM_OWNER` reaches every organization; the others only the one that the membership names. Acting as somebody
 * else is for `IMPERSONATOR` alone: owners can give themselves that role, and the record then shows it.
 */
export const permissionsOf: Record<Role, readonly Permission[]> = {
  IAM_OWNER: [
    'user.read',
    'user.write',
    'user.delete',
    'org.read',
    'org.write',
    'org.create',
    'instance.manage',
  ],
  ORG_OWNER: ['user.read', 'user.write', 'user.delete', 'org.read', 'org.write'],
  ORG_USER_MANAGER: ['user.read', 'user.write', 'user.delete'],
  ORG_USER_VIEWER: ['user.read'],
  IMPERSONATOR: ['user.impersonate'],
};

/** One role of one user: in one organization, or in the whole instance. */
export interface Membership {
  readonly id: string;
  readonly userId: string;
  readonly role: Role;
  /** Absent for the role of the instance, `IAM_OWNER`. */
  readonly orgId?: string;
  readonly created: Date;
}

/** Whether a role is given for the whole instance rather than for one organization. */
export function isInstanceRole(role: Role): boolean {
  return role === 'IAM_OWNER';
}

/** Every permission that these memberships give in the organization; undefined when none reaches it. */
export function permissionsIn(
  memberships: readonly Membership[],
  orgId: string,
): ReadonlySet<Permission> | undefined {
  const reaching = memberships.filter(
    (membership) => membership.orgId === undefined || membership.orgId === orgId,
  );
  if (reaching.length === 0) return undefined;
  return new Set(reaching.flatMap((membership) => permissionsOf[membership.role]));
}

/** Whether these memberships give the permission for the whole instance. */
export function permittedOnInstance(memberships: readonly Membership[], permission: Permission): boolean {
  return memberships.some(
    (membership) => membership.orgId === undefined && permissionsOf[membership.role].includes(permission),
  );
}
