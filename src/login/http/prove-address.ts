import { beginEmailChange } from '#src/authentication/email-change/index.js';
import { directoryErrors, type Organization, primaryEmail, type User } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { AppError } from '#src/platform/errors.js';
import { mailBoundOf } from '../mail/mail-bound.js';
import { confirmMail, mailLanguage } from '../mail/mails.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The page on which a person proves the address before a session begins. */
export const verifyEmailPath = '/login/verify-email';

type Deps = Pick<
  LoginNeeds,
  'clock' | 'codeAttempts' | 'config' | 'dailyMails' | 'logger' | 'mailer' | 'pendingEmails'
>;

/** What a person must prove: the address, where its code is typed, and the language of the page for somebody who chose none. */
interface AskedProof {
  readonly user: User;
  readonly address: string;
  /** Whether the person enters the code before a session begins, and not on the account page. */
  readonly isToSignIn: boolean;
  readonly language: Language;
}

/** Whether the organization lets nobody in who has not proved the address. */
export function asksForProof(organization: Organization | undefined): boolean {
  return organization?.login.verifyEmail === true;
}

/**
 * Begins the proof of an address, and mails its code. It returns before the mail was sent, so that its time says nothing about the address.
 * A mail that cannot be sent is a line of the log.
 * @returns how long the person must wait, if there were too many codes for this person. If there were too many for the address, which
 * others may have asked for, the code is not sent, and nobody is told
 * @throws AppError `directory.valueInvalid` if the text is no address
 */
export async function mailProof(
  deps: Deps,
  proof: AskedProof,
): Promise<{ retryAfterSeconds: number } | undefined> {
  const { clock, codeAttempts, config, dailyMails, logger, mailer } = deps;
  if (mailer === undefined) return undefined;
  const { user, address, isToSignIn, language } = proof;
  const bound = mailBoundOf('proof', user, clock.now());
  const ofOrganization = await dailyMails.begin(bound, config.noticeMailsPerDay);
  if (!ofOrganization.allowed) return { retryAfterSeconds: ofOrganization.retryAfterSeconds };
  const begun = await beginEmailChange({ ...deps, codeAttempts }, user, address);
  if (begun.kind === 'locked')
    return begun.isOfUser ? { retryAfterSeconds: begun.retryAfterSeconds } : undefined;
  const look = { language: mailLanguage(user, language), host: new URL(config.baseUrl).host };
  mailer
    .send({ to: begun.email, ...confirmMail(look, { code: begun.code, isToSignIn }) })
    .catch((error: unknown) =>
      logger.warn({ err: error, userId: user.id }, 'a code for an address could not be sent by mail'),
    );
  return undefined;
}

/** {@link mailProof} of the address that the person has. It never throws: the page of the code can send another one. */
export async function mailFirstProof(deps: Deps, proof: Omit<AskedProof, 'address'>): Promise<void> {
  const address = primaryEmail(proof.user)?.value;
  if (address === undefined) return;
  await mailProof(deps, { ...proof, address }).catch((error: unknown) =>
    deps.logger.warn({ err: error, userId: proof.user.id }, 'a code for an address could not be made'),
  );
}

/** Whether an error says that a text is no address. */
export function isNoAddress(error: unknown): boolean {
  return error instanceof AppError && error.definition === directoryErrors.valueInvalid;
}
