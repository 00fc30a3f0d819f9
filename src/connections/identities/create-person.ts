import type { Account } from '#src/accounts/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { UserCounter } from '#src/people/totals/index.js';
import { newUser, requireFreeValues, type UsersStore, writeNewUsers } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { ProvedIdentity } from '../provider/index.js';
import type { Connection } from '../registry/connection.js';
import { profileOf } from './claims-to-profile.js';
import { type Identity, type LinkDeps, writeFirstLink } from './link-identity.js';
import { PersonRefused } from './sign-in-refusal.js';

export interface CreatePersonDeps extends Pick<LinkDeps, 'mongo' | 'identityLinks' | 'events' | 'clock'> {
  readonly users: UsersStore;
  readonly passwords: PasswordHasher;
  readonly quotas: Pick<Quotas, 'within'>;
  readonly userCounter: Pick<UserCounter, 'changed'>;
}

/**
 * Adds a person with its identity in one transaction. Of two first sign-ins at once, one adds the person.
 * @returns undefined if the other one did, or a value is taken
 * @throws PersonRefused `quotaFull`
 */
export async function createPerson(
  deps: CreatePersonDeps,
  {
    connection,
    organization,
    proved,
    identity,
  }: { connection: Connection; organization: Organization; proved: ProvedIdentity; identity: Identity },
): Promise<Account | undefined> {
  const { id: orgId } = organization;
  const profile = profileOf(connection, organization, proved.claims);
  try {
    return await deps.quotas.within(orgId, { users: 1 }, async () => {
      const added = await newUser(deps, organization, { profile });
      await requireFreeValues(deps.users, organization, added.user);
      const userId = added.user.id;
      const editor = { userId, service: 'login' };
      await deps.mongo.transactionOf(orgId, async (transaction) => {
        await writeNewUsers(deps, { orgId, added: [added], editor }, transaction);
        await writeFirstLink(deps, { ...identity, userId, rule: 'created', editor }, transaction);
      });
      await deps.userCounter.changed(orgId);
      return added;
    });
  } catch (error) {
    if (isDuplicateKey(error) || isOf(error, directoryErrors.userNameTaken, directoryErrors.valueTaken))
      return undefined;
    if (isOf(error, directoryErrors.quotaExceeded)) throw new PersonRefused('quotaFull');
    throw error;
  }
}

function isOf(error: unknown, ...definitions: AppError['definition'][]): boolean {
  return error instanceof AppError && definitions.includes(error.definition);
}
