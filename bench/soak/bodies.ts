const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
/** The bcrypt hash of `Correct-Horse-7`, cost 4. */
const bcryptHash = '$2b$04$hFFF7RyifKx4QcK9L0Bk2.BFeTNZng0gIcIMrRdDwgu7Rip.nE3GS';

/** The body of a SCIM creation. */
export function scimUserOf(userName: string, password?: string) {
  return {
    schemas: [userUrn],
    userName,
    name: { givenName: 'Given', familyName: 'Family' },
    emails: [{ value: `${userName}@example.com`, primary: true }],
    ...(password !== undefined && { password }),
  };
}

/** The body of an import of these users into one organization, with password hashes. */
export function importBodyOf(orgId: string, userNames: readonly string[]) {
  const humanUsers = userNames.map((userName) => ({
    userId: `id-${userName}`,
    user: {
      userName,
      profile: { firstName: 'First', lastName: userName },
      email: { email: `${userName}@example.com`, isEmailVerified: true },
      hashedPassword: { value: bcryptHash },
    },
  }));
  return { timeout: '10m', dataOrgs: { orgs: [{ orgId, humanUsers }] } };
}
