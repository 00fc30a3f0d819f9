import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { compareAndSwap, orTryAgain, type User } from '#src/directory/index.js';
import { type RequireUserDeps, requireUser } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type Consent, consentKey } from './consent.js';
import type { ConsentsStore } from './consents.store.js';

/** A consent keeps no more scopes than this. A request may have 100. */
const maxScopes = 200;

export interface ConsentDeps extends RequireUserDeps {
  readonly mongo: Mongo;
  readonly consents: ConsentsStore;
  readonly events: EventsStore;
  readonly caches: { readonly consents: Cache<unknown> };
  readonly clock: Clock;
}

/**
 * Records that a person consents to these scopes of an application, beside those of an earlier consent.
 * @throws AppError `directory.userNotFound`, `directory.changing`
 */
export async function giveConsent(
  deps: ConsentDeps,
  given: { user: User; clientId: string; scopes: readonly string[]; editor: Editor },
): Promise<Consent> {
  const { user, clientId, editor } = given;
  const { id: userId, orgId } = user;
  const key = consentKey({ userId, clientId });
  const write = () =>
    deps.mongo
      .transactionOf(orgId, async (transaction) => {
        await requireUser(deps, { orgId, userId }, transaction);
        const now = deps.clock.now();
        const before = await deps.consents.find(orgId, key, transaction);
        const all = [...new Set([...(before?.scopes ?? []), ...given.scopes])];
        const scopes = (all.length > maxScopes ? [...given.scopes] : all).sort();
        const consent = {
          orgId,
          userId,
          clientId,
          scopes,
          created: before?.created ?? now,
          lastModified: now,
        };
        await deps.consents.put(orgId, consent, transaction);
        const event = newEvent('user.consent.given', {
          ...{ aggregate: 'user', id: userId, orgId, editor, sequence: user.version, date: now },
          payload: { clientId, scopes },
        });
        await deps.events.append([event], transaction);
        return consent;
      })
      // Two forms at the same time: the second one adds to the first.
      .catch(orTryAgain);
  const consent = await compareAndSwap(['user', userId, editor.userId], write);
  await deps.caches.consents.invalidate(key);
  return consent;
}
