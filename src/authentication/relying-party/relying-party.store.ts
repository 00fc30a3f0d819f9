import type { AnyBulkWriteOperation } from 'mongodb';
import type { PasskeysMark } from '#src/accounts/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** Stores the RP ID of the passkeys of this instance. */
export interface RelyingPartyStore {
  /** Returns the RP ID. Undefined before the first passkey. */
  find(): Promise<string | undefined>;
  /**
   * Stores the RP ID with the first passkey of the instance.
   * @throws AppError `directory.relyingPartyDiffers` if the instance has another one
   */
  claim(rpId: string, transaction: Transaction): Promise<void>;
  /** Replaces the RP ID, if it is `from`. */
  replace(change: { readonly from: string; readonly to: string }): Promise<void>;
  /** Returns the number of passkeys in all organizations whose RP ID is this one. */
  countPasskeys(rpId: string): Promise<number>;
  /**
   * Writes into each account with passkeys how many of them have this RP ID, so that no sign-in asks for one of another. The kept numbers of people
   * follow by their daily check. It is harmless to repeat.
   */
  markAccounts(rpId: string, now: Date): Promise<void>;
}

interface RelyingPartyDocument {
  _id: 'relyingParty';
  rpId: string;
  schemaVersion: 1;
}

const _id = 'relyingParty';

/** The accounts that one command writes. */
const batchLength = 500;

export function createRelyingPartyStore(mongo: Mongo): RelyingPartyStore {
  const settings = mongo.collection<RelyingPartyDocument>('instanceSettings');
  const lists = mongo.collection<{ _id: string; items: readonly (readonly [string, { rpId?: string }])[] }>(
    'webauthnCredentials',
  );
  const users = mongo.collection<{ _id: string; passkeys?: PasskeysMark }>('users');
  return {
    find: async () => (await settings.findOne({ _id }))?.rpId,
    async claim(rpId, session) {
      const stored = await settings.findOneAndUpdate(
        { _id },
        { $setOnInsert: { rpId, schemaVersion: 1 } },
        { session, upsert: true, returnDocument: 'after' },
      );
      if (stored?.rpId !== rpId) throw new AppError(directoryErrors.relyingPartyDiffers);
    },
    async replace({ from, to }) {
      await settings.updateOne({ _id, rpId: from }, { $set: { rpId: to } });
    },
    async countPasskeys(rpId) {
      let count = 0;
      for await (const { items } of lists.find({}, { projection: { items: 1 } })) {
        count += items.filter(([, item]) => item.rpId === rpId).length;
      }
      return count;
    },
    async markAccounts(rpId, changed) {
      let updates: AnyBulkWriteOperation<{ _id: string; passkeys?: PasskeysMark }>[] = [];
      const write = async () => {
        if (updates.length > 0) await users.bulkWrite(updates, { ordered: false });
        updates = [];
      };
      for await (const { _id: userId, items } of lists.find({}, { projection: { items: 1 } })) {
        const count = items.filter(([, item]) => (item.rpId ?? rpId) === rpId).length;
        const update =
          count === 0 ? { $unset: { passkeys: '' as const } } : { $set: { passkeys: { count, changed } } };
        updates.push({ updateOne: { filter: { _id: userId, 'passkeys.count': { $ne: count } }, update } });
        if (updates.length === batchLength) await write();
      }
      await write();
    },
  };
}
