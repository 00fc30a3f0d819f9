import type { Organization } from '#src/directory/organization.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { newUser } from '#src/people/users/new-user.js';
import type { Rooms } from '#src/rooms.js';
import { profileOf } from './people.js';
import { editor } from './setting.js';

const chunk = 500;
const atOnce = 2;

const loaded = new Map<string, Promise<Organization>>();

/**
 * An organization with this many people of {@link loadUsers}. All measures of a run share it, because they only read
 * it.
 */
export function organizationOf(container: Rooms, size: number): Promise<Organization> {
  const name = `${size.toLocaleString('en')} users`;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const loading = (async () => {
    const organization = await addOrganization(container, { name, editor });
    await loadUsers(container, organization, size);
    return organization;
  })();
  loaded.set(name, loading);
  return loading;
}

/** Adds the first `count` people to an organization through the store, so that the documents are the product's own. */
export async function loadUsers(container: Rooms, organization: Organization, count: number): Promise<void> {
  let next = 0;
  const load = async () => {
    while (next < count) {
      const start = next;
      next = Math.min(count, start + chunk);
      const numbers = Array.from({ length: next - start }, (_, i) => start + i);
      const added = await Promise.all(
        numbers.map((n) => newUser(container, organization, { profile: profileOf(n) })),
      );
      await container.mongo.transaction((transaction) =>
        container.users.insert(organization.id, added, transaction),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, load));
}
