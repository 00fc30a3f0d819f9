import { addMembership } from '#src/access/memberships/add-membership.js';
import { markForAdministration } from '#src/clients/applications/approve-application.js';
import { adminScope } from '#src/directory/administration.js';
import type { Organization } from '#src/directory/organization.js';
import { isInstanceRole, type Role } from '#src/directory/roles.js';
import type { Rooms } from '#src/rooms.js';
import { type Caller, testEditor } from './make.js';
import { makeApplication, makePerson, type OAuthClient, redeemCode } from './oauth-client.js';
import type { Call } from './test-app.js';

/** An application through which the people of its organization administer. */
export async function makeAdminApplication(container: Rooms, orgId: string): Promise<OAuthClient> {
  const client = await makeApplication(container, orgId);
  await markForAdministration(container, { orgId, id: client.id, editor: testEditor }, true);
  return client;
}

/**
 * A person with roles, and an access token of an application that is marked for administration.
 * @param roles organization roles apply in the person's organization
 * @param authTime when the person signed in; now, if absent
 */
export async function makeAdministrator(
  { container, call }: { container: Rooms; call: Call },
  organization: Organization,
  { roles = [], authTime }: { roles?: readonly Role[]; authTime?: Date } = {},
): Promise<Caller & { readonly userName: string }> {
  const { id: orgId } = organization;
  const person = await makePerson(container, organization);
  for (const role of roles) {
    const place = isInstanceRole(role) ? {} : { orgId };
    await addMembership(container, { userId: person.id, role, ...place, editor: testEditor });
  }
  const client = await makeAdminApplication(container, orgId);
  const grant = { scope: `openid ${adminScope}`, authTime: authTime ?? container.clock.now() };
  const { body } = await redeemCode({ container, call }, { client, person, grant });
  return { id: person.id, orgId, token: body.access_token, userName: person.userName };
}
