import {
  type LoginAttempts,
  type MailLink,
  type MakeOneTimeLinkDeps,
  makeOneTimeLink,
} from '#src/authentication/index.js';
import type { Config } from '#src/config.js';
import { chooseLanguage } from '#src/http/base/language.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { Mailer } from './mail.js';
import { mailLanguage, resetMail } from './mails.js';

/** The most mails to one person, and to one address, within the time for which failed attempts are counted. */
const maxMails = 3;

/** Makes the function that mails one-time links. */
export function createLinkMailer(
  deps: MakeOneTimeLinkDeps & {
    readonly mailer: Mailer;
    readonly loginAttempts: Pick<LoginAttempts, 'begin' | 'takeBack'>;
    readonly config: Pick<Config, 'baseUrl'>;
  },
): MailLink {
  const { mailer, loginAttempts, config } = deps;
  return async ({ user, organization, editor, language }) => {
    const email = user.emails.find(({ primary, verified }) => primary && verified !== false);
    if (!user.active || email === undefined) return 'noAddress';
    // Several users may have one address, whose owner did not ask for a flood.
    const subjects = [`mail:${user.id}`, `mail-to:${email.value.toLowerCase()}`];
    for (const subject of subjects)
      if (!(await loginAttempts.begin(subject, maxMails)).allowed) return 'tooManyMails';
    const request = { orgId: user.orgId, userId: user.id, editor, mailedTo: email.value };
    const { secret } = await makeOneTimeLink(deps, request);
    const link = pageAddress({ config }, '/login/password', { token: secret });
    const look = {
      language: mailLanguage(user, chooseLanguage([language])),
      host: new URL(config.baseUrl).host,
      organization,
    };
    try {
      await mailer.send({ to: email.value, ...resetMail(look, link) });
    } catch (error) {
      // A mail that nobody got does not count.
      for (const subject of subjects) await loginAttempts.takeBack(subject);
      throw error;
    }
    return undefined;
  };
}
