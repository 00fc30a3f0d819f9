import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/index.js';
import { userEvent } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { RememberedBrowsersStore } from '#src/tokens/remembered-browsers.store.js';

/**
 * Forgets a browser, so that the next sign-in there asks for the second factor. Records `user.browser.forgotten`. Sessions there go on. It is
 * harmless if there is no such browser.
 */
export async function forgetBrowser(
  {
    rememberedBrowsers,
    events,
    clock,
  }: {
    readonly rememberedBrowsers: Pick<RememberedBrowsersStore, 'remove'>;
    readonly events: EventsStore;
    readonly clock: Clock;
  },
  { user, browserId, editor }: { user: User; browserId: string; editor: Editor },
): Promise<void> {
  if (!(await rememberedBrowsers.remove(user.orgId, user.id, browserId))) return;
  const at = { ...user, lastModified: clock.now() };
  await events.record(userEvent('user.browser.forgotten', at, editor, { browserId }));
}
