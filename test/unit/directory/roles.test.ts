import t from 'tap';
import {
  type Membership,
  type Permission,
  permissionsIn,
  permittedOnInstance,
  type Role,
  roles,
} from '#src/directory/roles.js';

const created = new Date(0);
const has = (role: Role, orgId?: string): Membership => ({
  id: role,
  userId: 'u',
  role,
  created,
  ...(orgId !== undefined && { orgId }),
});

const everything: Permission[] = [
  'user.read',
  'user.write',
  'user.delete',
  'org.read',
  'org.write',
  'org.create',
  'instance.manage',
];

t.test('each role gives exactly its permissions', async (t) => {
  const expected: Record<Role, Permission[]> = {
    IAM_OWNER: everything,
    ORG_OWNER: ['user.read', 'user.write', 'user.delete', 'org.read', 'org.write'],
    ORG_USER_MANAGER: ['user.read', 'user.write', 'user.delete'],
    ORG_USER_VIEWER: ['user.read'],
    IMPERSONATOR: ['user.impersonate'],
  };
  for (const role of roles) {
    const membership = role === 'IAM_OWNER' ? has(role) : has(role, 'a');
    t.same([...(permissionsIn([membership], 'a') ?? [])].sort(), [...expected[role]].sort(), role);
  }
});

t.test('a role of one organization does not reach another', async (t) => {
  t.equal(permissionsIn([has('ORG_OWNER', 'a')], 'b'), undefined);
  t.equal(permissionsIn([], 'a'), undefined);
  t.same(
    [...(permissionsIn([has('ORG_OWNER', 'a'), has('ORG_USER_VIEWER', 'b')], 'b') ?? [])],
    ['user.read'],
  );
});

t.test('roles add up', async (t) => {
  const both = permissionsIn([has('ORG_USER_VIEWER', 'a'), has('ORG_USER_MANAGER', 'a')], 'a');
  t.same([...(both ?? [])].sort(), ['user.delete', 'user.read', 'user.write']);
  t.ok(permissionsIn([has('IAM_OWNER')], 'anywhere')?.has('org.write'));
});

t.test('each combination of roles gives what its roles give, however often it is asked for', async (t) => {
  const sorted = (permissions: Iterable<Permission> | undefined) => [...(permissions ?? [])].sort();
  const inA = (role: Role) => (role === 'IAM_OWNER' ? has(role) : has(role, 'a'));
  for (let combination = 1; combination < 2 ** roles.length; combination++) {
    const held = roles.filter((_, bit) => (combination & (2 ** bit)) !== 0);
    const each = new Set(held.flatMap((role) => sorted(permissionsIn([inA(role)], 'a'))));
    const forwards = permissionsIn(held.map(inA), 'a');
    const backwards = permissionsIn([...held].reverse().map(inA), 'a');
    t.same([sorted(forwards), sorted(backwards)], [sorted(each), sorted(each)], held.join());
  }
});

t.test('only a role of the instance gives something on the instance', async (t) => {
  t.ok(permittedOnInstance([has('IAM_OWNER')], 'instance.manage'));
  for (const role of roles) {
    for (const permission of everything) t.notOk(permittedOnInstance([has(role, 'a')], permission));
  }
});
