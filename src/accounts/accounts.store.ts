import type { Filter, Sort, UpdateFilter } from 'mongodb';
import type { User } from '#src/directory/index.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Account, ImportedCredentials, PasswordCredential } from './account.js';
import type { TotpCredential } from './totp.js';

/** The version that a compare-and-swap expects, and the time of the change. */
export interface AccountVersion {
  readonly id: string;
  readonly expectedVersion: number;
  readonly now: Date;
}

/** The credentials to read with the users. */
interface CredentialsWanted {
  readonly withPasswords: boolean;
  readonly withTotp: boolean;
}

/** Reads and writes users with their credentials, for sign-in. The users store never returns credentials. */
export interface AccountsStore {
  find(orgId: string, id: string): Promise<Account | undefined>;
  /** Finds the account by its folded userName. */
  findByUserName(orgId: string, key: string): Promise<Account | undefined>;
  /**
   * Returns at most 20 accounts with this folded primary address. An address with `verified: false` does not match.
   */
  findByEmail(orgId: string, key: string): Promise<Account[]>;
  /**
   * Returns accounts of any organization with this folded login name, so that the one that has it for the longest time is
   * among them. Exception: 20 others got the name before it changed another of its names.
   */
  findAnywhere(key: string): Promise<Account[]>;
  /** Returns at most 20 accounts of any organization with this folded primary address and `verified: true`. */
  findProved(key: string): Promise<Account[]>;
  /**
   * Returns whether the user is active, has the password that was set at that time, and has the second factor that was
   * enrolled at that time, or none if undefined.
   */
  hasCredentials(
    orgId: string,
    of: { id: string; passwordChanged: Date; totpEnrolled: Date | undefined },
  ): Promise<boolean>;
  /**
   * Returns the accounts with one of these folded userNames, and those of any organization with one of these
   * identifiers.
   */
  findTaken(
    orgId: string,
    names: { readonly ids: readonly string[]; readonly userNames: readonly string[] },
  ): Promise<Account[]>;
  /**
   * Yields all accounts of an organization in batches, in the order of their identifiers. It fetches the next batch
   * while the caller works. It reads only the wanted credentials.
   */
  all(orgId: string, wanted: CredentialsWanted): AsyncGenerator<Account[]>;
  /**
   * Yields the identifiers of all accounts of an organization in batches, in their order. It reads nothing else. It fetches the next
   * batch while the caller works.
   */
  ids(orgId: string): AsyncGenerator<string[]>;
  /** Returns the approximate number of users in all organizations together. */
  estimate(): Promise<number>;
  /** Replaces the hash that was verified with a better hash of the same password. */
  replaceHash(orgId: string, change: { id: string; from: string; to: string }): Promise<void>;
  /** Requires another password at the next login. Returns false if the version changed or the user has no password. */
  requirePasswordChange(orgId: string, target: AccountVersion, transaction: Transaction): Promise<boolean>;
  /** Sets the second factor, or removes it if undefined. Returns false if the version changed. */
  setTotp(
    orgId: string,
    change: AccountVersion & { totp: TotpCredential | undefined },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Replaces the hashes of the recovery codes. Returns false if the version changed or the user has no second factor. */
  setRecoveryCodes(
    orgId: string,
    change: AccountVersion & { recovery: readonly string[] },
    transaction: Transaction,
  ): Promise<boolean>;
  /**
   * Marks a time step of the second factor as used. If several callers use the same step, one succeeds. A step before
   * the latest used one fails.
   */
  takeTotpStep(orgId: string, step: { id: string; sealed: string; step: number }): Promise<boolean>;
  /** Removes the recovery code with this hash. If several callers use the same code, one succeeds. */
  takeRecoveryCode(orgId: string, code: { id: string; hash: string }): Promise<boolean>;
}

type AccountDocument = Omit<User, 'id'> & {
  _id: string;
  password?: PasswordCredential;
  totp?: TotpCredential;
  importedCredentials?: ImportedCredentials;
};

/** Lengths that {@link AccountsStore.all} and {@link AccountsStore.ids} use. */
interface ReadLengths {
  /** Users in a batch. A small batch is garbage while it is young. */
  readonly batch: number;
  /** Users that one cursor reads. A cursor then ends before the server times it out. */
  readonly cursor: number;
  /** Identifiers in a batch of {@link AccountsStore.ids}. */
  readonly identifiers: number;
}

const usualLengths: ReadLengths = { batch: 250, cursor: 20_000, identifiers: 5_000 };

/** The most accounts that a look-up of a login name reads. */
const mostClaims = 20;

const undoubted = { emails: { $not: { $elemMatch: { primary: true, verified: false } } } };
const projection = { search: 0, locked: 0, schemaVersion: 0 } as const;

export function createAccountsStore(mongo: Mongo, lengths = usualLengths): AccountsStore {
  const users = mongo.collection<AccountDocument>('users');
  const where = (filter: Record<string, unknown>) => filter as Filter<AccountDocument>;

  /** Yields the batches of one cursor. */
  async function* fetchAhead(
    orgId: string,
    after: string | undefined,
    { withPasswords, withTotp }: CredentialsWanted,
  ): AsyncGenerator<AccountDocument[]> {
    const fields = {
      ...projection,
      importedCredentials: 0,
      ...(!withPasswords && { password: 0 }),
      ...(!withTotp && { totp: 0 }),
    } as const;
    const { cursor, isSomethingThere } = await hinted(byId, async (options) => {
      const cursor = users
        .find(where({ orgId, ...(after !== undefined && { _id: { $gt: after } }) }), {
          projection: fields,
          ...options,
        })
        .sort({ _id: 1 })
        .limit(lengths.cursor)
        .batchSize(lengths.batch);
      return { cursor, isSomethingThere: await cursor.hasNext() };
    });
    try {
      let coming = Promise.resolve(isSomethingThere);
      while (await coming) {
        const batch = cursor.readBufferedDocuments();
        coming = cursor.hasNext();
        coming.catch(() => undefined);
        yield batch;
      }
    } finally {
      await cursor.close();
    }
  }

  return {
    async find(orgId, id) {
      const document = await users.findOne({ _id: id, orgId }, { projection });
      return document === null ? undefined : toAccount(document);
    },
    async findByUserName(orgId, key) {
      const document = await users.findOne(where({ orgId, 'search.userName': key }), { projection });
      return document === null ? undefined : toAccount(document);
    },
    async findByEmail(orgId, key) {
      const filter = where({ orgId, 'search.primaryEmail': key, ...undoubted });
      return (await users.find(filter, { projection }).limit(mostClaims).toArray()).map(toAccount);
    },
    async findAnywhere(key) {
      const find = (since: unknown, first: Sort, limit: number) => {
        const filter = where({ 'search.loginNames': key, 'search.loginNamesChanged': since });
        return users.find(filter, { projection }).sort(first).limit(limit).toArray();
      };
      // Two since their creation, because two may have the name for the same time.
      const found = await Promise.all([
        find(null, { created: 1 }, 2),
        find({ $gt: new Date(0) }, { 'search.loginNamesChanged': 1 }, mostClaims),
      ]);
      return found.flat().map(toAccount);
    },
    async findProved(key) {
      const proved = { emails: { $elemMatch: { primary: true, verified: true } } };
      const filter = where({ 'search.loginNames': key, 'search.primaryEmail': key, ...proved });
      return (await users.find(filter, { projection }).limit(mostClaims).toArray()).map(toAccount);
    },
    async hasCredentials(orgId, { id, passwordChanged, totpEnrolled }) {
      const factor =
        totpEnrolled === undefined ? { totp: { $exists: false } } : { 'totp.enrolled': totpEnrolled };
      const filter = where({ _id: id, orgId, active: true, 'password.changed': passwordChanged, ...factor });
      return (await users.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    async findTaken(orgId, { ids, userNames }) {
      const [byId, byName] = await Promise.all([
        ids.length === 0
          ? []
          : users
              .find({ _id: { $in: [...ids] } }, { projection })
              // One more than there can be, so that no other command asks whether there are more.
              .batchSize(ids.length + 1)
              .toArray(),
        userNames.length === 0
          ? []
          : users
              .find(where({ orgId, 'search.userName': { $in: [...userNames] } }), { projection })
              .batchSize(userNames.length + 1)
              .toArray(),
      ]);
      const known = new Set(byId.map(({ _id }) => _id));
      return [...byId, ...byName.filter(({ _id }) => !known.has(_id))].map(toAccount);
    },
    async *all(orgId, wanted) {
      let after: string | undefined;
      for (let count = lengths.cursor; count === lengths.cursor; ) {
        count = 0;
        for await (const batch of fetchAhead(orgId, after, wanted)) {
          count += batch.length;
          after = batch.at(-1)?._id;
          yield batch.map(toAccount);
        }
      }
    },
    async *ids(orgId) {
      const page = async (after: string | undefined): Promise<string[]> => {
        const filter = where({ orgId, ...(after !== undefined && { _id: { $gt: after } }) });
        const found = await hinted(byId, (options) =>
          users
            .find(filter, { projection: { _id: 1 }, ...options })
            .sort({ _id: 1 })
            .limit(lengths.identifiers)
            .batchSize(lengths.identifiers)
            .toArray(),
        );
        return found.map(({ _id }) => _id);
      };
      for (let coming: Promise<string[]> | undefined = page(undefined); coming !== undefined; ) {
        const found: string[] = await coming;
        coming = found.length < lengths.identifiers ? undefined : page(found.at(-1));
        // If the caller stops, no code awaits this page. Its failure must not end the process.
        coming?.catch(() => undefined);
        if (found.length > 0) yield found;
      }
    },
    estimate: () => users.estimatedDocumentCount(),
    async replaceHash(orgId, { id, from, to }) {
      await users.updateOne(where({ _id: id, orgId, 'password.hash': from }), {
        $set: { 'password.hash': to },
      });
    },
    async requirePasswordChange(orgId, { id, expectedVersion, now }, transaction) {
      const filter = where({ _id: id, orgId, version: expectedVersion, password: { $exists: true } });
      const update = {
        $set: { 'password.changeRequired': true, lastModified: now, version: expectedVersion + 1 },
      };
      return (await users.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async setTotp(orgId, { id, expectedVersion, now, totp }, transaction) {
      const stamp = { lastModified: now, version: expectedVersion + 1 };
      const update =
        totp === undefined ? { $set: stamp, $unset: { totp: '' as const } } : { $set: { ...stamp, totp } };
      const filter = { _id: id, orgId, version: expectedVersion };
      return (await users.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async setRecoveryCodes(orgId, { id, expectedVersion, now, recovery }, transaction) {
      const filter = where({ _id: id, orgId, version: expectedVersion, totp: { $exists: true } });
      // The rest of the factor stays: a code may be used meanwhile.
      const update = {
        $set: { 'totp.recovery': [...recovery], lastModified: now, version: expectedVersion + 1 },
      };
      return (await users.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async takeTotpStep(orgId, { id, sealed, step }) {
      const filter = where({ _id: id, orgId, 'totp.sealed': sealed, 'totp.lastStep': { $lt: step } });
      return (await users.updateOne(filter, { $set: { 'totp.lastStep': step } })).matchedCount === 1;
    },
    async takeRecoveryCode(orgId, { id, hash }) {
      const filter = where({ _id: id, orgId, 'totp.recovery': hash });
      const update = { $pull: { 'totp.recovery': hash } } as UpdateFilter<AccountDocument>;
      return (await users.updateOne(filter, update)).modifiedCount === 1;
    },
  };
}

function toAccount({ _id, password, totp, importedCredentials, ...fields }: AccountDocument): Account {
  return {
    user: { id: _id, ...fields },
    ...(password && { password }),
    ...(totp && { totp }),
    ...(importedCredentials && { importedCredentials }),
  };
}
