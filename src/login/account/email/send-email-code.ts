import { type BegunEmailChange, beginEmailChange } from '#src/authentication/email-change/index.js';
import { directoryErrors, type User } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { AppError } from '#src/platform/errors.js';
import type { Mailer } from '../../mail/mail.js';
import { confirmMail, mailLanguage } from '../../mail/mails.js';
import type { LoginNeeds } from '../../needs/needs.js';

/** Whether the code is on its way. `wrong`: the text is no address. `failed`: the mail server did not take the mail. */
type SentCode =
  | { readonly kind: 'sent' | 'wrong' | 'failed' }
  | Extract<BegunEmailChange, { readonly kind: 'locked' }>;

type Deps = Pick<LoginNeeds, 'codeAttempts' | 'config' | 'logger' | 'pendingEmails'> & {
  readonly mailer: Mailer;
};

/**
 * Begins the change of a user's address, and mails the code to the new one.
 * @param request `language` of the page, for a user who chose none
 */
export async function sendEmailCode(
  deps: Deps,
  request: { user: User; address: string; language: Language },
): Promise<SentCode> {
  const { user, address, language } = request;
  const begun = await begin(deps, user, address);
  if (begun === undefined) return { kind: 'wrong' };
  if (begun.kind === 'locked') return begun;
  const { host } = new URL(deps.config.baseUrl);
  const mail = confirmMail(
    { language: mailLanguage(user, language), host },
    {
      code: begun.code,
      isToSignIn: false,
    },
  );
  try {
    await deps.mailer.send({ to: begun.email, ...mail });
    return { kind: 'sent' };
  } catch (error) {
    deps.logger.warn({ err: error }, 'a code for an address could not be sent by mail');
    return { kind: 'failed' };
  }
}

/** Undefined if the text is no address. */
async function begin(deps: Deps, user: User, address: string): Promise<BegunEmailChange | undefined> {
  try {
    return await beginEmailChange(deps, user, address);
  } catch (error) {
    if (error instanceof AppError && error.definition === directoryErrors.valueInvalid) return undefined;
    throw error;
  }
}
