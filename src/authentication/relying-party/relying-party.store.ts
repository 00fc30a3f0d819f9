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
}

interface RelyingPartyDocument {
  _id: 'relyingParty';
  rpId: string;
  schemaVersion: 1;
}

const _id = 'relyingParty';

export function createRelyingPartyStore(mongo: Mongo): RelyingPartyStore {
  const settings = mongo.collection<RelyingPartyDocument>('instanceSettings');
  const lists = mongo.collection<{ _id: string; items: readonly (readonly [string, { rpId?: string }])[] }>(
    'webauthnCredentials',
  );
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
  };
}
