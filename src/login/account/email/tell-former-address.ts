import type { Organization, User } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import type { Mailer } from '../../mail/mail.js';
import { changedMail, mailLanguage } from '../../mail/mails.js';
import type { LoginNeeds } from '../../needs/needs.js';

/**
 * Mails to the former address that it was replaced, unless nobody proved it. It returns at once, and never throws: a mail that
 * cannot be sent is a line of the log.
 * @param change `user` before the change, `language` of the page for a user who chose none
 */
export function tellFormerAddress(
  { config, logger, mailer }: Pick<LoginNeeds, 'config' | 'logger'> & { readonly mailer: Mailer },
  change: { user: User; organization: Organization; email: string | undefined; language: Language },
): void {
  const { user, organization, email, language } = change;
  const former = user.emails.find((one) => one.primary);
  if (former === undefined || former.verified === false || former.value === email) return;
  const { host } = new URL(config.baseUrl);
  const look = { language: mailLanguage(user, language), host, organization };
  mailer
    .send({ to: former.value, ...changedMail(look) })
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'a former address could not be told by mail that it was replaced'),
    );
}
