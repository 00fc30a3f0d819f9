import type { Filter } from 'mongodb';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { User } from '../users/user.js';
import type { Account, PasswordCredential } from './account.js';
import type { TotpCredential } from './totp.js';

/** A user as a compare-and-swap on the version finds it, and the time of the change. */
export interface AccountVersion {
  readonly id: string;
  readonly expectedVersion: number;
  readonly now: Date;
}

/** Which credentials are read with the users. */
export interface CredentialsWanted {
  readonly withPasswords: boolean;
  readonly withTotp: boolean;
}

/** Users with their credentials, for signing in: what the users store keeps apart from everything else. */
export interface AccountsStore {
  find(orgId: string, id: string): Promise<Account | undefined>;
  /** By folded userName. */
  findByUserName(orgId: string, key: string): Promise<Account | undefined>;
  /** Those with this folded primary address that nobody doubts, two at most. */
  findByEmail(orgId: string, key: string): Promise<Account[]>;
  /** Those of any organization with this folded userName or undoubted primary address, two at most. */
  findAnywhere(key: string): Promise<Account[]>;
  /** Those of any organization that proved this folded primary address, two at most. */
  findProved(key: string): Promise<Account[]>;
  /** Whether the user is active and has the password that was set at that time. */
  hasPasswordOf(orgId: string, password: { id: string; changed: Date }): Promise<boolean>;
  /** Those with one of these folded userNames, and those of any organization with one of these identifiers. */
  findTaken(
    orgId: string,
    names: { readonly ids: readonly string[]; readonly userNames: readonly string[] },
  ): Promise<Account[]>;
  /**
   * All of an organization in the order of their identifiers, some at a time; the next ones are fetched meanwhile.
   * Credentials are read where they are wanted.
   */
  all(orgId: string, wanted: CredentialsWanted): AsyncGenerator<Account[]>;
  /** About how many there are in all organizations together. */
  estimate(): Promise<number>;
  /** Puts a better hash of the same password in the place of the one that was verified. */
  replaceHash(orgId: string, change: { id: string; from: string; to: string }): Promise<void>;
  /** Demands another password at the next login; false when the version moved or there is no password. */
  requirePasswordChange(orgId: string, target: AccountVersion, transaction: Transaction): Promise<boolean>;
  /** Sets or, with undefined, removes the second factor; false when the version moved. */
  setTotp(
    orgId: string,
    change: AccountVersion & { totp: TotpCredential | undefined },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Takes a time step of the second factor: of several callers one gets it, and never one for an earlier step. */
  takeTotpStep(orgId: string, step: { id: string; sealed: string; step: number }): Promise<boolean>;
}

type AccountDocument = Omit<User, 'id'> & {
  _id: string;
  password?: PasswordCredential;
  totp?: TotpCredential;
};

/** How {@link AccountsStore.all} reads. */
export interface ReadLengths {
  /** Users at a time; few enough to be garbage while they are young. */
  readonly batch: number;
  /** Users that one cursor reads: it does not live long enough to be lost. */
  readonly cursor: number;
}

const usualLengths: ReadLengths = { batch: 250, cursor: 20_000 };

const undoubted = { emails: { $not: { $elemMatch: { primary: true, verified: false } } } };
const projection = { search: 0, locked: 0, schemaVersion: 0 } as const;

export function createAccountsStore(mongo: Mongo, lengths = usualLengths): AccountsStore {
  const users = mongo.collection<AccountDocument>('users');
  const where = (filter: Record<string, unknown>) => filter as Filter<AccountDocument>;

  /** The batches of one cursor. */
  async function* fetchAhead(
    orgId: string,
    after: string | undefined,
    { withPasswords, withTotp }: CredentialsWanted,
  ): AsyncGenerator<AccountDocument[]> {
    const fields = {
      ...projection,
      ...(!withPasswords && { password: 0 }),
      ...(!withTotp && { totp: 0 }),
    } as const;
    const cursor = users
      .find(where({ orgId, ...(after !== undefined && { _id: { $gt: after } }) }), { projection: fields })
      .hint({ orgId: 1, _id: 1 })
      .sort({ _id: 1 })
      .limit(lengths.cursor)
      .batchSize(lengths.batch);
    try {
      let coming = cursor.hasNext();
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
      return (await users.find(filter, { projection }).limit(2).toArray()).map(toAccount);
    },
    async findAnywhere(key) {
      const filter = where({ 'search.loginNames': key });
      return (await users.find(filter, { projection }).limit(2).toArray()).map(toAccount);
    },
    async findProved(key) {
      const proved = { emails: { $elemMatch: { primary: true, verified: true } } };
      const filter = where({ 'search.loginNames': key, 'search.primaryEmail': key, ...proved });
      return (await users.find(filter, { projection }).limit(2).toArray()).map(toAccount);
    },
    async hasPasswordOf(orgId, { id, changed }) {
      const filter = where({ _id: id, orgId, active: true, 'password.changed': changed });
      return (await users.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    async findTaken(orgId, { ids, userNames }) {
      const [byId, byName] = await Promise.all([
        ids.length === 0 ? [] : users.find({ _id: { $in: [...ids] } }, { projection }).toArray(),
        users.find(where({ orgId, 'search.userName': { $in: [...userNames] } }), { projection }).toArray(),
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
    async takeTotpStep(orgId, { id, sealed, step }) {
      const filter = where({ _id: id, orgId, 'totp.sealed': sealed, 'totp.lastStep': { $lt: step } });
      return (await users.updateOne(filter, { $set: { 'totp.lastStep': step } })).matchedCount === 1;
    },
  };
}

function toAccount({ _id, password, totp, ...fields }: AccountDocument): Account {
  return { user: { id: _id, ...fields }, ...(password && { password }), ...(totp && { totp }) };
}
