import type { Editor } from '#src/audit/event.js';
import type { Config } from '#src/config.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import type { LoginAttempts } from '#src/directory/sign-in/login-attempts.store.js';
import { type MakeOneTimeLinkDeps, makeOneTimeLink } from '#src/directory/sign-in/make-one-time-link.js';
import type { User } from '#src/directory/users/user.js';
import type { Language } from '#src/http/pages/language.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { Mailer } from './mail.js';
import { mailLanguage, resetMail } from './mails.js';

/** Why a user got no mail with a link. */
export type NoMail = 'noAddress' | 'tooManyMails';

/**
 * Makes a one-time link for a user and mails it to the primary address. Returns why the user got none, or undefined.
 * @throws the error of the mail server
 */
export type MailLink = (request: {
  readonly user: User;
  readonly organization: Organization;
  readonly editor: Editor;
  /** Of the mail, if the user has not chosen one. */
  readonly language: Language;
}) => Promise<NoMail | undefined>;

/** The most mails to one person within the time for which failed attempts are counted. */
const maxMails = 3;

export function createLinkMailer(
  deps: MakeOneTimeLinkDeps & {
    readonly mailer: Mailer;
    readonly loginAttempts: Pick<LoginAttempts, 'begin'>;
    readonly config: Pick<Config, 'baseUrl'>;
  },
): MailLink {
  const { mailer, loginAttempts, config } = deps;
  return async ({ user, organization, editor, language }) => {
    const email = user.emails.find(({ primary, verified }) => primary && verified !== false);
    if (!user.active || email === undefined) return 'noAddress';
    if (!(await loginAttempts.begin(`mail:${user.id}`, maxMails)).allowed) return 'tooManyMails';
    const request = { orgId: user.orgId, userId: user.id, editor, mailedTo: email.value };
    const { secret } = await makeOneTimeLink(deps, request);
    const link = pageAddress({ config }, '/login/password', { token: secret });
    const look = { language: mailLanguage(user, language), host: new URL(config.baseUrl).host, organization };
    await mailer.send({ to: email.value, ...resetMail(look, link) });
    return undefined;
  };
}
