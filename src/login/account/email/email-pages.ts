import { field } from '#src/http/pages/form.js';
import { html } from '#src/http/pages/html.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm, formButtons } from '../http/account-form.js';
import { accountAddress, type Member } from '../http/member.js';
import { ownPasswordField } from '../http/own-proof.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** What the form for a new address shows. */
interface EmailForm {
  /** What the person typed. If absent, an address that nobody proved is suggested. */
  readonly address?: string;
  readonly errors?: { readonly email?: string | undefined; readonly password?: string | undefined };
  readonly alert?: string;
  /** Whether a code was mailed that the person may still enter. */
  readonly hasCode?: boolean;
}

/** The page on which a person enters the new address. */
export function emailPage(deps: Deps, member: Member, shown: EmailForm = {}): PageContent {
  const { texts: t } = member.visit;
  const primary = member.account.user.emails.find((one) => one.primary);
  const { address = primary?.verified === true ? '' : primary?.value, errors = {}, alert, hasCode } = shown;
  const content = accountForm(deps, member, {
    path: '/account/email',
    purpose: 'email',
    content: html`${field({
      name: 'email',
      label: t.emailChange.newAddress,
      type: 'email',
      value: address,
      autocomplete: 'email',
      error: errors.email,
      isFocused: errors.password === undefined,
    })}
${ownPasswordField(member, errors.password)}
${formButtons(member, { label: t.emailChange.send, back: accountAddress(deps, '/account', member) })}`,
  });
  const toCode =
    hasCode &&
    html`<p class="links"><a href="${accountAddress(deps, '/account/email/confirm', member)}">${t.emailChange.haveCode}</a></p>`;
  return { title: t.email, subtitle: t.emailChange.text, content: html`${content}${toCode}`, alert };
}

/** The page on which a person enters the code that was mailed to the new address. */
export function emailCodePage(
  deps: Deps,
  member: Member,
  { email, error }: { email: string; error: string | undefined },
): PageContent {
  const { emailChange: t } = member.visit.texts;
  const content = accountForm(deps, member, {
    path: '/account/email/confirm',
    purpose: 'email-code',
    content: html`${field({
      name: 'code',
      label: t.code,
      autocomplete: 'one-time-code',
      isTypedCode: true,
      isFocused: true,
      error,
    })}
${formButtons(member, { label: t.confirm, back: accountAddress(deps, '/account', member) })}`,
  });
  return { title: t.codeTitle, subtitle: t.codeText(email), content };
}
