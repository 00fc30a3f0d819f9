import type { Container } from '#src/container.js';
import { prepareUser } from '#src/directory/add-users.js';
import type { Organization } from '#src/directory/organization.js';
import { profileOf } from './people.js';

const chunk = 500;
const atOnce = 2;

/** Adds the first `count` people to an organization through the store, so that the documents are the product's own. */
export async function loadUsers(
  container: Container,
  organization: Organization,
  count: number,
): Promise<void> {
  let next = 0;
  const load = async () => {
    while (next < count) {
      const start = next;
      next = Math.min(count, start + chunk);
      const numbers = Array.from({ length: next - start }, (_, i) => start + i);
      const added = await Promise.all(
        numbers.map((n) => prepareUser(container, organization, { profile: profileOf(n) })),
      );
      await container.mongo.transaction((transaction) =>
        container.users.insert(organization.id, added, transaction),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, load));
}
