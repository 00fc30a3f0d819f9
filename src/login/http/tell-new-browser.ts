import { primaryEmail, shownSwitches, type User } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import type { Device } from '#src/sessions/session.js';
import type { LoginNeeds } from '../needs/needs.js';

type Deps = Pick<LoginNeeds, 'caches' | 'clock' | 'logger' | 'mailer' | 'notices'>;

/**
 * Stores that a person is told of a sign-in at a browser where the person has not signed in since all sign-ins ended, or not lately. A failure is a line of the log, because
 * it must not stop the sign-in.
 * @param signIn `language` of the page, for a person who chose none
 */
export async function tellNewBrowser(
  { caches, clock, logger, mailer, notices }: Deps,
  { user, device, language }: { user: User; device: Device; language: Language },
): Promise<void> {
  const address = primaryEmail(user);
  if (mailer === undefined || address === undefined || address.verified === false) return;
  const { id: userId, orgId } = user;
  try {
    const organization = await caches.organizations.get(orgId);
    if (organization === undefined || !shownSwitches(organization.login).notifyNewBrowser) return;
    await notices.put([{ orgId, userId, kind: 'newBrowser', at: clock.now(), ...device, language }]);
  } catch (error) {
    logger.warn({ err: error, userId }, 'a person could not be told of a sign-in at a new browser');
  }
}
