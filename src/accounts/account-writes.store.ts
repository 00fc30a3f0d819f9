import type { Collection, UpdateFilter } from 'mongodb';
import { factorChange, factorClassOf, type UserFactors } from '#src/directory/index.js';
import type { UserTotalsStore } from '#src/organizations/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { PasskeysMark } from './account.js';
import type { AccountDocument } from './account-document.js';
import { factorFields, factorsIn } from './account-factors.store.js';
import type { TotpCredential } from './totp.js';

/** The version that a compare-and-swap expects, and the time of the change. */
export interface AccountVersion {
  readonly id: string;
  readonly expectedVersion: number;
  readonly now: Date;
}

/** Changes the credentials of accounts. */
export interface AccountWrites {
  /** Replaces the hash that was verified with a better hash of the same password. */
  replaceHash(orgId: string, change: { id: string; from: string; to: string }): Promise<void>;
  /** Requires another password at the next login. Returns false if the version changed or the user has no password. */
  requirePasswordChange(orgId: string, target: AccountVersion, transaction: Transaction): Promise<boolean>;
  /** Writes only the version and the time, for a change that other stores keep. Returns false if the version changed. */
  advance(orgId: string, target: AccountVersion, transaction: Transaction): Promise<boolean>;
  /** Sets the second factor, or removes it if undefined. Returns false if the version changed. */
  setTotp(
    orgId: string,
    change: AccountVersion & { totp: TotpCredential | undefined },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Writes how many passkeys the user has, or that there are none. Returns false if the version changed. */
  setPasskeys(
    orgId: string,
    change: AccountVersion & { passkeys: PasskeysMark | undefined },
    transaction: Transaction,
  ): Promise<boolean>;
  /**
   * Notes that a sign-in asks the person to add a passkey. Nothing else of the user changes.
   * @returns false if one has asked before. Of several at the same time, one asks
   */
  offerPasskey(orgId: string, offer: { readonly id: string; readonly now: Date }): Promise<boolean>;
  /** Writes how many passkeys users have who got them by an import. Their versions stay. */
  markPasskeys(
    orgId: string,
    marks: readonly { readonly id: string; readonly passkeys: PasskeysMark }[],
    transaction: Transaction,
  ): Promise<void>;
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

/**
 * Returns the part of the accounts store that changes credentials.
 * @param totals gets every change of the factors of a user, in its transaction
 */
export function createAccountWrites(
  users: Collection<AccountDocument>,
  totals: Pick<UserTotalsStore, 'add'>,
): AccountWrites {
  const updateFactorAt = async (orgId: string, change: FactorUpdate, transaction: Transaction) => {
    const before = await updateAt(users, orgId, change, transaction);
    if (before === null) return false;
    const factors = factorsIn(before);
    const classes = [factors, { ...factors, ...change.becomes }].map(factorClassOf);
    await totals.add(
      orgId,
      { by: 0, factors: factorChange(classes.slice(0, 1), classes.slice(1)) },
      transaction,
    );
    return true;
  };
  return {
    async replaceHash(orgId, { id, from, to }) {
      await users.updateOne(
        { _id: id, orgId, 'password.hash': from },
        {
          $set: { 'password.hash': to },
        },
      );
    },
    async requirePasswordChange(orgId, { id, expectedVersion, now }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion, password: { $exists: true } };
      const update = {
        $set: { 'password.changeRequired': true, lastModified: now, version: expectedVersion + 1 },
      };
      return (await users.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async advance(orgId, { id, expectedVersion, now }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      const update = { $set: { lastModified: now, version: expectedVersion + 1 } };
      return (await users.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async setTotp(orgId, { totp, ...at }, transaction) {
      const update = totp === undefined ? { $unset: { totp: '' as const } } : { $set: { totp } };
      return updateFactorAt(orgId, { at, update, becomes: { totp: totp !== undefined } }, transaction);
    },
    async setPasskeys(orgId, { passkeys, ...at }, transaction) {
      const update = passkeys === undefined ? { $unset: { passkeys: '' as const } } : { $set: { passkeys } };
      return updateFactorAt(orgId, { at, update, becomes: { passkey: passkeys !== undefined } }, transaction);
    },
    async offerPasskey(orgId, { id, now }) {
      const filter = { _id: id, orgId, passkeyOffered: { $exists: false } };
      return (await users.updateOne(filter, { $set: { passkeyOffered: now } })).modifiedCount === 1;
    },
    async markPasskeys(orgId, marks, transaction) {
      if (marks.length === 0) return;
      const ids = marks.map(({ id }) => id);
      const before = await users
        .find({ _id: { $in: ids }, orgId }, { projection: factorFields, session: transaction })
        .batchSize(ids.length + 1)
        .toArray();
      const factors = before.map(factorsIn);
      const change = factorChange(
        factors.map(factorClassOf),
        factors.map((one) => factorClassOf({ ...one, passkey: true })),
      );
      await totals.add(orgId, { by: 0, factors: change }, transaction);
      const updates = marks.map(({ id, passkeys }) => ({
        updateOne: { filter: { _id: id, orgId }, update: { $set: { passkeys } } },
      }));
      await users.bulkWrite(updates, { session: transaction });
    },
    async setRecoveryCodes(orgId, { id, expectedVersion, now, recovery }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion, totp: { $exists: true } };
      // The rest of the factor stays: a code may be used meanwhile.
      const update = {
        $set: { 'totp.recovery': [...recovery], lastModified: now, version: expectedVersion + 1 },
      };
      return (await users.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async takeTotpStep(orgId, { id, sealed, step }) {
      const filter = { _id: id, orgId, 'totp.sealed': sealed, 'totp.lastStep': { $lt: step } };
      return (await users.updateOne(filter, { $set: { 'totp.lastStep': step } })).matchedCount === 1;
    },
    async takeRecoveryCode(orgId, { id, hash }) {
      const filter = { _id: id, orgId, 'totp.recovery': hash };
      const update = { $pull: { 'totp.recovery': hash } } as UpdateFilter<AccountDocument>;
      return (await users.updateOne(filter, update)).modifiedCount === 1;
    },
  };
}

/** A change of a factor of a user. */
interface FactorUpdate {
  readonly at: AccountVersion;
  readonly update: Pick<UpdateFilter<AccountDocument>, '$set' | '$unset'>;
  readonly becomes: Partial<UserFactors>;
}

/**
 * Updates a user that has the expected version, and gives it the next one. Returns the fields of its factors as they were. Null if it has another
 * version.
 */
async function updateAt(
  users: Collection<AccountDocument>,
  orgId: string,
  { at: { id, expectedVersion, now }, update }: FactorUpdate,
  session: Transaction,
) {
  const stamp = { lastModified: now, version: expectedVersion + 1 };
  const stamped = { ...update, $set: { ...update.$set, ...stamp } } as UpdateFilter<AccountDocument>;
  const filter = { _id: id, orgId, version: expectedVersion };
  return users.findOneAndUpdate(filter, stamped, { projection: factorFields, session });
}
