import { newId } from '#src/platform/ids.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Notice } from './notice.js';

/** The notices of one person that one attempt mails together. */
export interface ClaimedNotices {
  readonly claim: string;
  readonly orgId: string;
  readonly userId: string;
  /** In the order of time, at most {@link mostRead}. */
  readonly notices: readonly Notice[];
  /** The attempts before this one. */
  readonly tries: number;
}

/** What people are told, until the mail was sent. It is an outbox: a notice is stored with the change that it tells. */
export interface NoticesStore {
  /** Stores notices, in the transaction of the change if it has one. They are due {@link gatherMs} after the change. */
  put(notices: readonly Notice[], transaction?: Transaction): Promise<void>;
  /** The organizations with notices that are due. */
  organizationsDue(now: Date): Promise<string[]>;
  /**
   * Takes all notices of the person of the organization who waits longest. Until `leaseUntil` nobody else takes them.
   * @returns undefined if nothing is due
   */
  claimNext(
    orgId: string,
    times: { readonly now: Date; readonly leaseUntil: Date },
  ): Promise<ClaimedNotices | undefined>;
  /** Removes notices that were told, or that nobody can be told. */
  remove(claimed: ClaimedNotices): Promise<void>;
  /** Lets somebody try again at this time. */
  postpone(claimed: ClaimedNotices, due: Date): Promise<void>;
  /** Lets nothing of the organization be due before this time, but what somebody has claimed. */
  postponeAll(orgId: string, times: { readonly now: Date; readonly due: Date }): Promise<void>;
}

/** Changes of a person within this time are one mail. In milliseconds. */
export const gatherMs = 2 * 60_000;
/** A notice that could not be sent for so long is forgotten. In milliseconds. */
const keptMs = 3 * 24 * 3_600_000;
/** The most notices of one person that are read for a mail. The others of the same mail are removed with them. */
const mostRead = 2_000;

interface NoticeDocument extends Notice {
  _id: string;
  due: Date;
  expires: Date;
  tries: number;
  /** The attempt that has the notice. Null if nobody has it. */
  claim: string | null;
}

export const noticeIndexes: CollectionIndexes = {
  collection: 'notices',
  indexes: [
    { key: { due: 1, orgId: 1 } },
    { key: { orgId: 1, due: 1 } },
    { key: { orgId: 1, userId: 1 } },
    { key: { claim: 1 } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

/** Opens the store of notices. */
export function createNoticesStore(mongo: Mongo): NoticesStore {
  const stored = mongo.collection<NoticeDocument>('notices');
  return {
    async put(notices, transaction) {
      if (notices.length === 0) return;
      const documents = notices.map((notice) => ({
        _id: newId(),
        ...notice,
        due: new Date(notice.at.getTime() + gatherMs),
        expires: new Date(notice.at.getTime() + keptMs),
        tries: 0,
        claim: null,
      }));
      await stored.insertMany(documents, transaction && { session: transaction });
    },

    organizationsDue: (now) => stored.distinct('orgId', { due: { $lte: now } }),

    async claimNext(orgId, { now, leaseUntil }) {
      const [first] = await stored
        .find({ orgId, due: { $lte: now } })
        .sort({ due: 1 })
        .limit(1)
        .toArray();
      if (first === undefined) return undefined;
      const { userId } = first;
      const claim = newId();
      // Those that another attempt has are due later. If its process died, they are due when its lease ends.
      await stored.updateMany(
        { orgId, userId, $or: [{ claim: null }, { due: { $lte: now } }] },
        { $set: { claim, due: leaseUntil }, $inc: { tries: 1 } },
      );
      const found = await stored.find({ claim }).sort({ _id: 1 }).limit(mostRead).toArray();
      const tries = Math.max(0, ...found.map((one) => one.tries - 1));
      return { claim, orgId, userId, tries, notices: found.map(asNotice) };
    },

    async remove({ claim, orgId }) {
      await stored.deleteMany({ claim, orgId });
    },

    async postpone({ claim, orgId }, due) {
      await stored.updateMany({ claim, orgId }, { $set: { due, claim: null } });
    },

    async postponeAll(orgId, { now, due }) {
      await stored.updateMany(
        { orgId, due: { $lt: due }, $or: [{ claim: null }, { due: { $lte: now } }] },
        { $set: { due, claim: null } },
      );
    },
  };
}

function asNotice({ _id, due, expires, tries, claim, ...notice }: NoticeDocument): Notice {
  return notice;
}
