import type { Organization, User } from '#src/directory/index.js';
import { chooseLanguage, type Language } from '#src/http/base/language.js';
import { chosenLanguage } from '#src/people/users/index.js';
import { composeMail, type MailLook, nameInMail } from './compose-mail.js';
import type { Mail } from './mail.js';
import { mailTexts } from './texts/texts.js';

/** The language of mail to a person: the one that the person chose, or else that of the visit that caused the mail. */
export function mailLanguage(person: User, ofVisit: Language): Language {
  const chosen = chosenLanguage(person);
  return chosen === undefined ? ofVisit : chooseLanguage([chosen], ofVisit);
}

type Look = Omit<MailLook, 'organization'>;

/** The mail with a link that sets a password. */
export function resetMail(look: Look & { organization: Organization }, address: string): Omit<Mail, 'to'> {
  const { subject, text, button, valid, ignore } = mailTexts[look.language].reset;
  return composeMail(look, {
    subject,
    text: text(nameInMail(look.organization)),
    link: { label: button, address },
    notes: [valid, ignore],
  });
}

/** The mail with a link that signs in. Nothing in it was chosen by anybody. */
export function signInLinkMail({ language, host }: Look, address: string): Omit<Mail, 'to'> {
  const { subject, text, button, valid, ignore } = mailTexts[language].signInLink;
  const link = { label: button, address };
  return composeMail({ language, host }, { subject, text: text(host), link, notes: [valid, ignore] });
}

/** The mail with a code for the second factor of a sign-in. Nothing in it was chosen by anybody. */
export function factorMail({ language, host }: Look, code: string): Omit<Mail, 'to'> {
  const { subject, text, valid, ignore } = mailTexts[language].factor;
  return composeMail({ language, host }, { subject, text: text(host), code, notes: [valid, ignore] });
}

/**
 * The mail with a code that confirms an address. A typing error may lead it to a stranger. So it has no text that a person or an
 * organization chose.
 * @param proof `isToSignIn`: the person enters the code before a session begins, and not on the account page
 */
export function confirmMail(
  { language, host }: Look,
  { code, isToSignIn }: { code: string; isToSignIn: boolean },
): Omit<Mail, 'to'> {
  const { confirm, signInCode } = mailTexts[language];
  const { subject, valid, ignore } = confirm;
  const text = isToSignIn ? signInCode(host) : confirm.text(host);
  return composeMail({ language, host }, { subject, text, code, notes: [valid, ignore] });
}
