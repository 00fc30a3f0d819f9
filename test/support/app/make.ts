import { addMembership } from '#src/access/memberships/add-membership.js';
import { addPersonalAccessToken } from '#src/clients/service-users/add-personal-access-token.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import type { Organization } from '#src/directory/organization.js';
import { isInstanceRole, type Role } from '#src/directory/roles.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import type { Rooms } from '#src/rooms.js';

/** The editor of the objects that a test starts from. */
export const testEditor = { userId: 'test', service: 'test' };

/** A service user with credentials. */
export interface Caller {
  readonly id: string;
  readonly orgId: string;
  /** A personal access token. */
  readonly token: string;
}

let counter = 0;

/** A name that is unique in this process. */
export function uniqueName(word: string): string {
  counter++;
  return `${word}-${counter}`;
}

export function makeOrganization(
  container: Rooms,
  given: { id?: string; name?: string } = {},
): Promise<Organization> {
  return addOrganization(container, { name: uniqueName('Organization'), ...given, editor: testEditor });
}

/**
 * Makes a service user with a token.
 * @param roles organization roles apply in `orgId`
 */
export async function makeCaller(container: Rooms, orgId: string, roles: Role[] = []): Promise<Caller> {
  const { id } = await addServiceUser(container, {
    orgId,
    userName: uniqueName('service'),
    editor: testEditor,
  });
  for (const role of roles) {
    const place = isInstanceRole(role) ? {} : { orgId };
    await addMembership(container, { userId: id, role, ...place, editor: testEditor });
  }
  const { token } = await addPersonalAccessToken(container, { orgId, userId: id, editor: testEditor });
  return { id, orgId, token };
}

/** Makes an organization, and service users with a role in it. Most tests start from these. */
export async function makeTenant(container: Rooms) {
  const { id: orgId } = await makeOrganization(container);
  return {
    orgId,
    owner: await makeCaller(container, orgId, ['ORG_OWNER']),
    manager: await makeCaller(container, orgId, ['ORG_USER_MANAGER']),
    viewer: await makeCaller(container, orgId, ['ORG_USER_VIEWER']),
  };
}
