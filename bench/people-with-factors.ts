import { factorsIn } from '#src/accounts/account-factors.store.js';
import { factorChange, factorClassOf } from '#src/directory/factor-class.js';
import type { Organization } from '#src/directory/organization.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { newUser } from '#src/people/users/new-user.js';
import { toDocument, type UserDocument } from '#src/people/users/user-document.js';
import { newId } from '#src/platform/ids.js';
import type { Rooms } from '#src/rooms.js';
import { profileOf } from './people.js';
import { editor } from './setting.js';

const chunk = 2_000;
const atOnce = 2;

/**
 * A new organization with this many people. Every second one has a password, and every tenth has a second factor as well. They are written as
 * documents, without the keys that only searches of users read: with all of them, a million people would take three times as long. The
 * numbers of people by their factors are kept as by the product.
 */
export async function organizationWithFactors(container: Rooms, count: number): Promise<Organization> {
  const name = `${count.toLocaleString('en')} users with factors`;
  const organization = await addOrganization(container, { name, editor });
  const { user } = await newUser(container, organization, { profile: profileOf(0) });
  const model = toDocument(organization.id, user);
  const users = container.mongo.collection<UserDocument>('users');
  let next = 0;
  const load = async () => {
    while (next < count) {
      const start = next;
      next = Math.min(count, start + chunk);
      const documents = Array.from({ length: next - start }, (_, i) => documentOf(model, start + i));
      const factors = factorChange(
        [],
        documents.map((document) => factorClassOf(factorsIn(document))),
      );
      // An API process may count the users again at any moment. One transaction keeps users and numbers equal for it, as in the product.
      await container.mongo.transaction(async (session) => {
        await users.insertMany(documents, { ordered: false, session });
        await container.userTotals.add(organization.id, { by: documents.length, factors }, session);
      });
      await container.userCounter.changed(organization.id);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, load));
  return organization;
}

/** The n-th person, like the model in everything but the names, the address and the factors. */
function documentOf(model: UserDocument, n: number): UserDocument {
  const { version, displayName, preferredLanguage } = model.search;
  const { created, externalId: _externalId, ...common } = model;
  const { userName } = profileOf(n);
  return {
    ...common,
    created,
    _id: newId(),
    userName,
    emails: [{ value: `${userName}@example.com`, type: 'work', primary: true }],
    search: { version, displayName, preferredLanguage, userName, loginNames: [], attributes: [] },
    ...(n % 2 === 0 && { password: { hash: '$argon2id$v=19$bench', changed: created } }),
    ...(n % 10 === 0 && { totp: { sealed: 'bench', lastStep: 0, enrolled: created } }),
  };
}
