import { primaryEmail } from '#src/directory/index.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import type { SignInAtStep } from '../http/begun-sign-in.js';
import { otherWays, whyAsked } from '../http/other-ways.js';
import { rememberBox } from '../http/remembered-browser.js';
import { mailCodePath } from '../http/send-mail-code.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The form that mails a code. */
export const sendCodePath = `${mailCodePath}/send`;

/** What the page shows besides its forms. */
interface ShownMailCode extends Pick<PageContent, 'alert' | 'notice'> {
  /** Whether a code waits that was mailed to this address. Otherwise the page only offers to send one. */
  readonly isSent: boolean;
  /** What the person is about to do in the console. '' if nothing. */
  readonly act: string;
  readonly error?: string | undefined;
}

/** The purpose of the form with the code, and of the one that mails it. */
export function mailCodePurpose(flow: string, kind: 'code' | 'send'): string {
  return `mail-code ${kind} ${flow}`;
}

/** The page for a code that is mailed as a second factor. Opening it mails nothing. */
export function mailCodePage(
  deps: Pick<LoginNeeds, 'config' | 'mailer'>,
  atStep: SignInAtStep,
  { isSent, act, error, ...messages }: ShownMailCode,
): PageContent {
  const { visit, account } = atStep;
  const { texts: t, flow } = visit;
  const links = html`<div class="links">${otherWays(deps, atStep, { here: 'mailCode' })}
<p><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p></div>`;
  const address = shortened(primaryEmail(account.user)?.value ?? '');
  const able = isSent ? t.emailChange.codeText(address) : t.mailCode.text(address);
  const told = [act, whyAsked(atStep), deps.mailer === undefined ? t.mailCode.noMail : able];
  const subtitle = told.filter((sentence) => sentence !== '').join(' ');
  const forms = deps.mailer === undefined ? false : mailCodeForms(deps, atStep, { isSent, error });
  return { title: t.codeTitle, subtitle, content: html`${forms}\n${links}`, ...messages };
}

function mailCodeForms(
  deps: Pick<LoginNeeds, 'config'>,
  atStep: SignInAtStep,
  { isSent, error }: { isSent: boolean; error: string | undefined },
): Html {
  const { texts: t, flow, agent } = atStep.visit;
  const hidden = { request: flow };
  const sending = form({
    action: pageAddress(deps, sendCodePath),
    agent,
    purpose: mailCodePurpose(flow, 'send'),
    hidden,
    content: isSent
      ? html`<button type="submit" class="full quiet">${t.verifyEmail.another}</button>`
      : submit(t.emailChange.send),
  });
  if (!isSent) return sending;
  const code = field({
    name: 'code',
    label: t.emailChange.code,
    autocomplete: 'one-time-code',
    isTypedCode: true,
    isFocused: true,
    error,
  });
  return html`${form({
    action: pageAddress(deps, mailCodePath),
    agent,
    purpose: mailCodePurpose(flow, 'code'),
    hidden,
    content: html`${code}\n${rememberBox(atStep)}\n${submit(t.continue)}`,
  })}
<p class="hint">${t.mailCode.late}</p>
${sending}`;
}

/** The address as its owner knows it again. Somebody who only has the password does not learn it. */
function shortened(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = Array.from(address);
  return `${first}…${address.slice(at)}`;
}
