import { isDeepStrictEqual } from 'node:util';
import type { Collection } from 'mongodb';
import {
  factorFields,
  factorsIn,
  type ImportedCredentials,
  type PasswordCredential,
  type TotpCredential,
} from '#src/accounts/index.js';
import {
  type FactorChange,
  factorChange,
  factorClassOf,
  receivesMail,
  searchKeys,
  type User,
} from '#src/directory/index.js';
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

/** A user as it was read, and as it becomes. Absent credentials stay. */
export interface UserReplacement {
  /** Its version must be the stored one, and so must what clients gave for names and language, which may change without a new version. */
  readonly current: User;
  readonly user: User;
  /** Null removes the password. */
  readonly password?: PasswordCredential | null;
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
   * Writes what differs between two states of users, as one command. Returns whether it wrote all of them. If one of them is no longer as
   * it was read, the caller must abort the transaction.
   */
  replace(orgId: string, changes: readonly UserReplacement[], transaction: Transaction): Promise<boolean>;
  /**
   * Removes the users if each has its `expectedVersion`. Returns whether it removed all of them. If not, the caller must abort the
   * transaction.
   */
  remove(
    orgId: string,
    targets: readonly { readonly id: string; readonly expectedVersion: number }[],
    transaction: Transaction,
  ): Promise<boolean>;
}

/**
 * Returns the part of the users store that writes.
 * @param totals gets every change of the number of users and of their factors, in its transaction
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
      const factors = factorChange(
        [],
        documents.map((document) => factorClassOf(factorsIn(document))),
      );
      await totals.add(orgId, { by: documents.length, factors }, transaction);
    },

    lock: (orgId, id, transaction) => lockDocument(users, { _id: id, orgId }, transaction),

    async replace(orgId, changes, transaction) {
      const [first] = changes;
      if (first === undefined) return true;
      const options = { session: transaction };
      const factors = await changedFactors(users, { orgId, changes }, transaction);
      await totals.add(orgId, { by: 0, factors }, transaction);
      if (changes.length === 1) {
        const { filter, update } = replacementOf(orgId, first);
        return (await users.updateOne(filter, update, options)).matchedCount === 1;
      }
      const each = changes.map((change) => ({ updateOne: replacementOf(orgId, change) }));
      return (await users.bulkWrite(each, options)).matchedCount === changes.length;
    },

    async remove(orgId, targets, transaction) {
      const filters = targets.map(({ id, expectedVersion }) => ({
        _id: id,
        orgId,
        version: expectedVersion,
      }));
      const removed = await findAndDelete(users, filters, transaction);
      if (removed.length < targets.length) return false;
      const factors = factorChange(
        removed.map((document) => factorClassOf(factorsIn(document))),
        [],
      );
      await totals.add(orgId, { by: -removed.length, factors }, transaction);
      return true;
    },
  };
}

/** Deletes one user by each of the filters. Returns what the deleted users had of {@link factorFields}: fewer users if a filter found none. */
async function findAndDelete(
  users: Collection<UserDocument>,
  filters: readonly { readonly _id: string; readonly orgId: string; readonly version: number }[],
  session: Transaction,
) {
  const options = { projection: factorFields, session };
  const [first] = filters;
  if (first === undefined) return [];
  if (filters.length === 1) {
    const removed = await users.findOneAndDelete(first, options);
    return removed === null ? [] : [removed];
  }
  const ids = filters.map(({ _id }) => _id);
  const found = await users
    .find({ _id: { $in: ids }, orgId: first.orgId }, options)
    .batchSize(ids.length + 1)
    .toArray();
  const deletes = filters.map((filter) => ({ deleteOne: { filter } }));
  const { deletedCount } = await users.bulkWrite(deletes, { session });
  return found.slice(0, deletedCount);
}

/**
 * Returns what the changes do to the classes of factors. Only users whose class may change are read, in the transaction, so that nobody changes
 * them meanwhile.
 */
async function changedFactors(
  users: Collection<UserDocument>,
  { orgId, changes }: { orgId: string; changes: readonly UserReplacement[] },
  session: Transaction,
): Promise<FactorChange> {
  const concerned = changes.filter(mayChangeClass);
  if (concerned.length === 0) return {};
  const found = await users
    .find(
      { _id: { $in: concerned.map(({ user }) => user.id) }, orgId },
      { projection: factorFields, session },
    )
    .batchSize(concerned.length + 1)
    .toArray();
  const before = new Map(found.map((document) => [document._id, factorsIn(document)]));
  const pairs = concerned.flatMap(({ user, password, totp }) => {
    const factors = before.get(user.id);
    if (factors === undefined) return [];
    const after = {
      ...factors,
      active: user.active,
      mail: receivesMail(user),
      ...(password !== undefined && { password: password !== null }),
      ...(totp !== undefined && { totp: true }),
    };
    return [{ before: factorClassOf(factors), after: factorClassOf(after) }];
  });
  return factorChange(
    pairs.map((pair) => pair.before),
    pairs.map((pair) => pair.after),
  );
}

function mayChangeClass({ current, user, password, totp }: UserReplacement): boolean {
  const staysSame = current.active === user.active && receivesMail(current) === receivesMail(user);
  return password !== undefined || totp !== undefined || !staysSame;
}

function replacementOf(
  orgId: string,
  { user, current, password, totp, importedCredentials }: UserReplacement,
) {
  const { set, unset } = difference(current, user);
  if (password === null) unset['password'] = '';
  const { name, displayNameGiven, preferredLanguageGiven } = current;
  const filter = {
    _id: user.id,
    orgId,
    version: current.version,
    'name.formatted': name.formatted ?? { $exists: false },
    displayNameGiven: displayNameGiven ?? { $exists: false },
    preferredLanguageGiven: preferredLanguageGiven ?? { $exists: false },
  };
  const update = {
    $set: {
      ...set,
      search: searchKeys(user),
      ...(password && { password }),
      ...(totp && { totp }),
      ...(importedCredentials && { importedCredentials }),
    },
    ...(Object.keys(unset).length > 0 && { $unset: unset }),
  };
  return { filter, update };
}

/**
 * The fields that differ. A store reads and compares each field that it is given, also one that stays. Only fields that this version knows are
 * removed: a process of a later version may have written others.
 */
function difference(
  { id: _, ...before }: User,
  { id: _id, ...after }: User,
): { set: Partial<User>; unset: Record<string, ''> } {
  const set = Object.entries(after).filter(
    ([field, value]) => !isDeepStrictEqual(value, before[field as keyof typeof before]),
  );
  const unset = optionalFields.filter((field) => field in before && !(field in after));
  return { set: Object.fromEntries(set), unset: Object.fromEntries(unset.map((field) => [field, ''])) };
}
