import type { User } from '#src/directory/index.js';

export interface FindActivePersonDeps {
  readonly users: {
    organizationOf(id: string): Promise<string | undefined>;
    find(orgId: string, id: string): Promise<User | undefined>;
  };
}

/** The active person with this identifier, in whatever organization, from the store. A removed or inactive one is undefined. */
export async function findActivePerson(
  { users }: FindActivePersonDeps,
  userId: string,
): Promise<User | undefined> {
  const orgId = await users.organizationOf(userId);
  const user = orgId === undefined ? undefined : await users.find(orgId, userId);
  return user?.active ? user : undefined;
}
