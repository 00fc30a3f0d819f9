/** The permissions that a caller can have. SCIM needs the first three. */
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
 * `IAM_OWNER` reaches every organization. Each other role reaches only the organization of the membership. Only
 * `IMPERSONATOR` may act as another user. An owner can take that role, and an event then records it.
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

/** A role of a user, in one organization or in the whole instance. */
export interface Membership {
  readonly id: string;
  readonly userId: string;
  readonly role: Role;
  /** Absent for `IAM_OWNER`, the role of the instance. */
  readonly orgId?: string;
  readonly created: Date;
}

/** Returns whether a role applies to the whole instance and not to one organization. */
export function isInstanceRole(role: Role): boolean {
  return role === 'IAM_OWNER';
}

/** The permissions of each combination of roles that was asked for. Bit n of a key stands for `roles[n]`, so there are at most 31. */
const permissionsOfRoles = new Map<number, ReadonlySet<Permission>>();

/**
 * Returns all permissions of these memberships in the organization, or undefined if none reaches it. Every request of an administrator or of a
 * SCIM client asks for them, so they are not put together anew each time.
 */
export function permissionsIn(
  memberships: readonly Membership[],
  orgId: string,
): ReadonlySet<Permission> | undefined {
  let held = 0;
  for (const membership of memberships) {
    if (membership.orgId === undefined || membership.orgId === orgId)
      held |= 1 << roles.indexOf(membership.role);
  }
  if (held === 0) return undefined;
  const known = permissionsOfRoles.get(held);
  if (known !== undefined) return known;
  const permissions = new Set(
    roles.filter((_, bit) => (held & (1 << bit)) !== 0).flatMap((role) => permissionsOf[role]),
  );
  permissionsOfRoles.set(held, permissions);
  return permissions;
}

/** Returns whether these memberships give the permission for the whole instance. */
export function permittedOnInstance(memberships: readonly Membership[], permission: Permission): boolean {
  return memberships.some(
    (membership) => membership.orgId === undefined && permissionsOf[membership.role].includes(permission),
  );
}

/** Returns whether these memberships give the permission in the organization, or for the whole instance if none is named. */
export function isPermitted(
  memberships: readonly Membership[],
  { permission, orgId }: { readonly permission: Permission; readonly orgId?: string | undefined },
): boolean {
  if (orgId === undefined) return permittedOnInstance(memberships, permission);
  return permissionsIn(memberships, orgId)?.has(permission) === true;
}

/**
 * Returns whether these memberships let a person work in the console. A person who may only act as others, and sees no users, has nothing to
 * do there.
 */
export function mayAdminister(memberships: readonly Pick<Membership, 'role'>[]): boolean {
  return memberships.some(({ role }) => permissionsOf[role].includes('user.read'));
}

/** Returns whether the first memberships give every permission that the second ones give, in the same places. */
export function covers(mine: readonly Membership[], theirs: readonly Membership[]): boolean {
  return theirs.every(({ role, orgId }) =>
    permissionsOf[role].every((permission) =>
      orgId === undefined
        ? permittedOnInstance(mine, permission)
        : permissionsIn(mine, orgId)?.has(permission) === true,
    ),
  );
}
