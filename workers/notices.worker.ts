import { type SendNoticesDeps, sendNotices } from '#src/login/mail/notices/send-notices.js';
import type { Logger } from '#src/platform/logger.js';

/** The next run goes on. In milliseconds. */
const longestMs = 20_000;

/** Mails to people what happened to their accounts: see send-notices.ts. */
export function noticesWorker(deps: SendNoticesDeps) {
  return (logger: Logger): Promise<void> => sendNotices(deps, { logger, longestMs });
}
