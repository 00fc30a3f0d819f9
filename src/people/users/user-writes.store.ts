import type { Collection } from 'mongodb';
import type { ImportedCredentials, PasswordCredential, TotpCredential } from '#src/accounts/index.js';
import type { User } from '#src/directory/index.js';
import type { UserTotalsStore } from '#src/organizations/index.js';
import { lockDocument } from '#src/platform/mongo/documents.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { optionalFields, toDocument, type UserDocument } from './user-document.js';

/** A user to add, with its credentials if there are any. */
export interface NewUser {
  readonly user: User;
  readonly password?: PasswordCredential;
  readonly totp?: TotpCredential;
  readonly importedCredentials?: ImportedCredentials;
}

/** Adds, changes and removes users of an organization. */
export interface UserWrites {
  /** @throws the duplicate-key error of MongoDB if an id or a userName is taken */
  insert(orgId: string, added: readonly NewUser[], transaction: Transaction): Promise<void>;
  /**
   * Returns whether the user exists. Use it before writing other data of the user. The call writes to the document. If
   * another transaction removes the user at the same time, MongoDB aborts one of the two, and that one runs again.
   */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
  /**
   * Writes the user if its version is `expectedVersion`. Returns whether it wrote the user.
   * @param change `current`: also requires what a client gave to be this. They may change without a new version
   */
  replace(
    orgId: string,
    change: {
      user: User;
      expectedVersion: number;
      current?: Pick<User, 'name' | 'displayNameGiven' | 'preferredLanguageGiven'>;
      password?: PasswordCredential | null;
      totp?: TotpCredential;
      importedCredentials?: ImportedCredentials;
    },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes the user if its version is `expectedVersion`. Returns whether it removed the user. */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
}

/**
 * Returns the part of the users store that writes.
 * @param totals gets every change of the number of users, in its transaction
 */
export function createUserWrites(users: Collection<UserDocument>, totals: UserTotalsStore): UserWrites {
  return {
    async insert(orgId, added, transaction) {
      const documents = added.map(({ user, password, totp, importedCredentials }) => ({
        ...toDocument(orgId, user, password),
        ...(totp && { totp }),
        ...(importedCredentials && { importedCredentials }),
      }));
      const [first] = documents;
      if (first !== undefined && documents.length === 1)
        await users.insertOne(first, { session: transaction });
      else await users.insertMany(documents, { session: transaction, ordered: true });
      await totals.add(orgId, documents.length, transaction);
    },

    lock: (orgId, id, transaction) => lockDocument(users, { _id: id, orgId }, transaction),

    async replace(orgId, { user, expectedVersion, current, password, ...credentials }, transaction) {
      const { totp, importedCredentials } = credentials;
      const { password: _kept, _id, ...fields } = toDocument(orgId, user);
      const absent = optionalFields.filter((field) => !(field in fields));
      const unset: Record<string, ''> = Object.fromEntries(absent.map((field) => [field, '']));
      if (password === null) unset['password'] = '';
      const result = await users.updateOne(
        {
          _id,
          orgId,
          version: expectedVersion,
          ...(current && {
            'name.formatted': current.name.formatted ?? { $exists: false },
            displayNameGiven: current.displayNameGiven ?? { $exists: false },
            preferredLanguageGiven: current.preferredLanguageGiven ?? { $exists: false },
          }),
        },
        {
          $set: {
            ...fields,
            ...(password && { password }),
            ...(totp && { totp }),
            ...(importedCredentials && { importedCredentials }),
          },
          ...(Object.keys(unset).length > 0 && { $unset: unset }),
        },
        { session: transaction },
      );
      return result.matchedCount === 1;
    },

    async remove(orgId, { id, expectedVersion }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      const { deletedCount } = await users.deleteOne(filter, { session: transaction });
      if (deletedCount === 1) await totals.add(orgId, -1, transaction);
      return deletedCount === 1;
    },
  };
}
