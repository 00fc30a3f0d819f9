import type { Editor } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import { inLine, type User } from '#src/directory/index.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import { consentKey } from './consent.js';
import type { ConsentDeps } from './give-consent.js';

/**
 * Takes a consent back, and ends the tokens that the application has for the person. Tokens that are part of no refresh
 * family are refused because the consent is gone.
 * @returns whether there was a consent
 */
export async function revokeConsent(
  deps: ConsentDeps & { readonly refreshTokens: Pick<RefreshTokens, 'endAllOf'> },
  { user, clientId, editor }: { user: User; clientId: string; editor: Editor },
): Promise<boolean> {
  const { id: userId, orgId } = user;
  const key = consentKey({ userId, clientId });
  const remove = () =>
    deps.mongo.transactionOf(orgId, async (transaction) => {
      if (!(await deps.consents.remove(orgId, key, transaction))) return false;
      const event = newEvent('user.consent.revoked', {
        ...{ aggregate: 'user', id: userId, orgId, editor, sequence: user.version, date: deps.clock.now() },
        payload: { clientId },
      });
      await deps.events.append([event], transaction);
      return true;
    });
  const removed = await inLine(['user', userId, editor.userId], remove);
  await deps.caches.consents.invalidate(key);
  await deps.refreshTokens.endAllOf(userId, { clientId });
  return removed;
}
