import { beginMailCode, type CodedSignIn } from '#src/authentication/second-factor/index.js';
import type { Language } from '#src/http/base/language.js';
import { mailBoundOf } from '../mail/mail-bound.js';
import { factorMail, mailLanguage } from '../mail/mails.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The page for a code that is mailed as a second factor. */
export const mailCodePath = '/login/mail-code';

type Deps = Pick<
  LoginNeeds,
  'clock' | 'codeAttempts' | 'config' | 'dailyMails' | 'logger' | 'mailCodes' | 'mailer'
>;

/**
 * Makes a code for the second factor of a sign-in, and mails it to the person's address. It returns before the mail was sent. A mail that
 * cannot be sent is a line of the log.
 * @param signIn `language` of the page, for a person who chose none
 * @returns how long the person must wait, if there were too many codes for the person, the address or the organization
 */
export async function sendMailCode(
  deps: Deps,
  signIn: CodedSignIn & { readonly language: Language },
): Promise<{ retryAfterSeconds: number } | undefined> {
  const { clock, config, logger, mailer } = deps;
  if (mailer === undefined) return undefined;
  const { user } = signIn.account;
  const day = { subject: mailBoundOf('code', user, clock.now()), most: config.noticeMailsPerDay };
  const begun = await beginMailCode(deps, signIn, day);
  if (begun.kind === 'locked') return begun;
  if (begun.kind === 'noAddress') return undefined;
  const look = { language: mailLanguage(user, signIn.language), host: new URL(config.baseUrl).host };
  mailer
    .send({ to: begun.email, ...factorMail(look, begun.code) })
    .catch((error: unknown) =>
      logger.warn({ err: error, userId: user.id }, 'a code for a second factor could not be sent by mail'),
    );
  return undefined;
}
