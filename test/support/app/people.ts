import { newTotpSecret, sealTotpSecret } from '#src/accounts/totp.js';
import { changeTotp } from '#src/authentication/second-factor/change-totp.js';
import type { Organization } from '#src/directory/organization.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import type { OrganizationChange } from '#src/organizations/organization-rules.js';
import { addUser } from '#src/people/users/add-user.js';
import type { Rooms } from '#src/rooms.js';
import { makeOrganization, testEditor, uniqueName } from './make.js';

export const goodPassword = 'Correct-Horse-7';

/** An organization with settings. */
export async function makeHome(container: Rooms, change: OrganizationChange = {}): Promise<Organization> {
  const { id: orgId } = await makeOrganization(container);
  return changeOrganization(container, { orgId, change, editor: testEditor });
}

/** A person who signs in with {@link goodPassword}, or has no password where `password` is null. */
export function makePerson(
  container: Rooms,
  organization: Organization,
  given: Partial<UserProfileInput> & { password?: string | null } = {},
): Promise<User> {
  const { password = goodPassword, ...profile } = given;
  const userName = profile.userName ?? uniqueName('person');
  return addUser(container, {
    organization,
    draft: {
      profile: {
        userName,
        name: { givenName: 'Anna', familyName: 'Lind' },
        emails: [{ value: `${userName.replace(/[^\w.-]/g, '.')}@people.example`, primary: true }],
        ...profile,
      },
      ...(password !== null && { password }),
    },
    editor: testEditor,
  });
}

/** Adds a second factor to a person. Returns the secret. */
export async function giveTotp(container: Rooms, { id, orgId }: User): Promise<Buffer> {
  const secret = newTotpSecret();
  const totp = {
    sealed: sealTotpSecret(container.totpSealer, id, secret),
    lastStep: 0,
    enrolled: container.clock.now(),
  };
  await changeTotp(container, { orgId, id, totp, editor: testEditor });
  return secret;
}
