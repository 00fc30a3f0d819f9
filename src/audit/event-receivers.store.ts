import { upserted } from '#src/platform/mongo/duplicate-key.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** How far a receiver of security event tokens has come in the events of an organization. */
export interface EventReceiver {
  /** It has acknowledged every event up to this identifier. */
  readonly position: string;
  /** The later events that it has acknowledged. */
  readonly acknowledged: readonly string[];
  /** Differs after each change. */
  readonly version: number;
  /** Nothing is kept of a receiver that does not poll for so long. */
  readonly expires: Date;
}

/** The receivers of each organization. A receiver is a caller. */
export interface EventReceiversStore {
  find(orgId: string, receiverId: string): Promise<EventReceiver | undefined>;
  /** Begins a receiver. @returns the receiver that another request has begun, if one was faster */
  begin(orgId: string, receiverId: string, at: Omit<EventReceiver, 'version'>): Promise<EventReceiver>;
  /** Moves a receiver on. False if another request has changed it. */
  change(orgId: string, receiverId: string, to: EventReceiver): Promise<boolean>;
  /** Whether the organization has so many receivers. */
  hasAtLeast(orgId: string, count: number): Promise<boolean>;
  /** Removes what is kept of these callers in all organizations. */
  removeOf(receiverIds: readonly string[], transaction: Transaction): Promise<void>;
}

interface ReceiverDocument extends EventReceiver {
  /** `{orgId} {receiverId}`. Neither contains a space. */
  _id: string;
  orgId: string;
  receiverId: string;
}

export const eventReceiverIndexes: CollectionIndexes = {
  collection: 'eventReceivers',
  indexes: [
    { key: { orgId: 1 } },
    { key: { receiverId: 1 } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createEventReceiversStore(mongo: Mongo): EventReceiversStore {
  const receivers = mongo.collection<ReceiverDocument>('eventReceivers');
  const keyOf = (orgId: string, receiverId: string) => ({ _id: `${orgId} ${receiverId}`, orgId });
  return {
    async find(orgId, receiverId) {
      const found = await receivers.findOne(keyOf(orgId, receiverId));
      return found === null ? undefined : toReceiver(found);
    },
    async begin(orgId, receiverId, { position, acknowledged, expires }) {
      // Two polls at once may both be the first.
      const found = await upserted(() =>
        receivers.findOneAndUpdate(
          keyOf(orgId, receiverId),
          { $setOnInsert: { receiverId, position, acknowledged, expires, version: 1 } },
          { upsert: true, returnDocument: 'after' },
        ),
      );
      if (found === null) throw new Error('The receiver that was begun is gone');
      return toReceiver(found);
    },
    async change(orgId, receiverId, { version, ...to }) {
      const changed = await receivers.updateOne(
        { ...keyOf(orgId, receiverId), version },
        { $set: { ...to, receiverId }, $inc: { version: 1 } },
      );
      return changed.matchedCount === 1;
    },
    async hasAtLeast(orgId, count) {
      const found = await receivers
        .find({ orgId }, { projection: { _id: 1 } })
        .limit(count)
        .toArray();
      return found.length >= count;
    },
    async removeOf(receiverIds, transaction) {
      await receivers.deleteMany({ receiverId: { $in: [...receiverIds] } }, { session: transaction });
    },
  };
}

function toReceiver({
  _id,
  orgId: _orgId,
  receiverId: _receiverId,
  ...receiver
}: ReceiverDocument): EventReceiver {
  return receiver;
}
