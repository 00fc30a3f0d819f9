import type { Event } from '#src/audit/event.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { noticesOf } from './notice.js';
import { createNoticesStore, noticeIndexes } from './notices.store.js';

/** The collections of the room, with their indexes. */
export const noticeCollections = [noticeIndexes];

/** What the room offers. */
export type OpenedNotices = ReturnType<typeof openNotices>;

/**
 * Opens what people are told by mail.
 * @param deps `sendsMail`: whether the service can send mail. Otherwise nothing is stored
 */
export function openNotices({ mongo, sendsMail }: { readonly mongo: Mongo; readonly sendsMail: boolean }) {
  const notices = createNoticesStore(mongo);
  return {
    notices,
    /** Stores what events tell, in their transaction. Returns undefined if they tell nobody anything. */
    tell(events: readonly Event[], transaction?: Transaction): Promise<void> | undefined {
      const told = sendsMail ? noticesOf(events) : [];
      return told.length === 0 ? undefined : notices.put(told, transaction);
    },
  };
}
