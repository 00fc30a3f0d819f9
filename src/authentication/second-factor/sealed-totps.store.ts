import type { TotpCredential } from '#src/accounts/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';

/** The sealed secret of a second factor, and its user. */
interface SealedTotp {
  readonly orgId: string;
  readonly userId: string;
  readonly sealed: string;
}

/** Stores the second factors of all organizations, for the change of master keys. */
interface SealedTotpsStore {
  all(): AsyncIterable<SealedTotp>;
  /**
   * Replaces the sealed secret with a new seal of the same secret, if it is the one that was read. The version of the
   * user stays.
   */
  replace(orgId: string, change: { userId: string; from: string; to: string }): Promise<void>;
}

interface TotpDocument {
  _id: string;
  orgId: string;
  totp?: TotpCredential;
}

const batch = 1_000;

export function createSealedTotpsStore(mongo: Mongo): SealedTotpsStore {
  const users = mongo.collection<TotpDocument>('users');
  return {
    async *all() {
      // Read in pages, because a single cursor could time out.
      for (let after = ''; ; ) {
        const page = await users
          .find({ _id: { $gt: after }, totp: { $exists: true } }, { projection: { orgId: 1, totp: 1 } })
          .sort({ _id: 1 })
          .limit(batch)
          .toArray();
        for (const { _id, orgId, totp } of page) {
          if (totp !== undefined) yield { orgId, userId: _id, sealed: totp.sealed };
        }
        const last = page.at(-1);
        if (last === undefined) return;
        after = last._id;
      }
    },
    async replace(orgId, { userId, from, to }) {
      await users.updateOne({ _id: userId, orgId, 'totp.sealed': from }, { $set: { 'totp.sealed': to } });
    },
  };
}
