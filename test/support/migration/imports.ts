/** The bcrypt hash of `Correct-Horse-7`, cost 4. */
export const bcryptHash = '$2b$04$hFFF7RyifKx4QcK9L0Bk2.BFeTNZng0gIcIMrRdDwgu7Rip.nE3GS';

/** A record of `humanUsers`. By default it is valid. */
export function humanUser(name: string, changes: Record<string, unknown> = {}) {
  const { userId = `id-${name}`, ...user } = changes;
  return {
    userId,
    user: {
      userName: name,
      profile: { firstName: 'First', lastName: name },
      email: { email: `${name}@example.com`, isEmailVerified: true },
      hashedPassword: { value: bcryptHash },
      ...user,
    },
  };
}

/** Users whose names are a word and a number. */
export function humanUsers(word: string, count: number) {
  return Array.from({ length: count }, (_, index) => humanUser(`${word}-${index}`));
}

/** An import body in the external form. */
export function importOf(orgId: string, users: readonly unknown[], more: Record<string, unknown> = {}) {
  return { timeout: '5m', dataOrgs: { orgs: [{ orgId, humanUsers: users }] }, ...more };
}
