import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent, type Versioned } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { type SignOutDeps, signOut } from './sign-out.js';

/**
 * Signs a user out for an administrator: ends one session or all of them, and records `user.session.ended`. Sessions
 * are in Redis alone, so the version of the user does not count up.
 */
export async function endSessions(
  deps: SignOutDeps & { readonly events: EventsStore; readonly clock: Clock },
  { user, sessionId, editor }: { user: Versioned; sessionId?: string; editor: Editor },
): Promise<void> {
  const { id, orgId, version } = user;
  const one = sessionId === undefined ? {} : { sessionId };
  await signOut(deps, { userId: id, ...one });
  await deps.events.record(
    newEvent('user.session.ended', {
      aggregate: 'user',
      id,
      orgId,
      editor,
      sequence: version,
      date: deps.clock.now(),
      payload: one,
    }),
  );
}
