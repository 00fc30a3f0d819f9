import type { ConsolePage } from './respond.js';
import type { ConsoleVisit } from './visit.js';

/** What went well before the redirect to this page. */
export function noticeOf({ t }: Pick<ConsoleVisit, 't'>, done: string): Pick<ConsolePage, 'notice'> {
  if (done === 'saved') return { notice: t.saved };
  return done === 'removed' ? { notice: t.removed } : {};
}
