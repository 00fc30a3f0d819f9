import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { EndByProviderDeps } from '#src/connections/sign-in/index.js';
import { type SignOutDeps, signOutOfIdentity } from '#src/sessions/sign-out.js';
import type { LoginNeeds } from '../needs/needs.js';

export type EndSignInsDeps = SignOutDeps &
  Pick<LoginNeeds, 'accounts' | 'clock'> & { readonly events: Pick<EventsStore, 'record'> };

/**
 * Returns the function that ends sessions for the provider of a connection. If sessions ended, it records `user.session.ended` with the
 * connection, in the name of the person who signed out there.
 */
export function endingSignIns(
  deps: EndSignInsDeps,
  { orgId, name }: { orgId: string; name: string },
): EndByProviderDeps['endSignInsOf'] {
  return async (of) => {
    const ended = await signOutOfIdentity(deps, of);
    const account = ended === 0 ? undefined : await deps.accounts.find(orgId, of.userId);
    if (account === undefined) return ended;
    const { id, version: sequence } = account.user;
    const editor = { userId: id, service: 'login' };
    const payload = { connectionId: of.connectionId, connection: name, sessions: ended };
    await deps.events.record(
      newEvent('user.session.ended', {
        ...{ aggregate: 'user', id, orgId, editor, sequence, date: deps.clock.now(), payload },
      }),
    );
    return ended;
  };
}
