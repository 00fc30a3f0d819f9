import type { Account } from '#src/accounts/index.js';
import { primaryEmail } from '#src/directory/index.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { verifyEmailPath } from '../http/prove-address.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The form that sends another code. */
export const otherCodePath = `${verifyEmailPath}/code`;

/** What the page shows after a form. */
interface ShownProof {
  /** The address to which the latest code went. Absent: that of the account. */
  readonly address?: string | undefined;
  readonly typed?: string | undefined;
  readonly errors?: { readonly code?: string | undefined; readonly email?: string | undefined };
  readonly alert?: string | undefined;
  readonly notice?: string | undefined;
}

/** The purpose of the form with the code, and of the one that sends another. */
export function verifyPurpose(flow: string, kind: 'code' | 'other'): string {
  return `verify-email ${kind} ${flow}`;
}

/** The page on which a person proves the address before a session begins. A wrong address can be replaced, which sends another code. */
export function verifyEmailPage(
  deps: Pick<LoginNeeds, 'config' | 'mailer'>,
  { visit, account }: { visit: Visit; account: Account },
  shown: ShownProof,
): PageContent {
  const { texts: t, flow, agent } = visit;
  const { errors = {}, alert, notice } = shown;
  const back = html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p>`;
  if (deps.mailer === undefined)
    return { title: t.emailChange.codeTitle, subtitle: t.verifyEmail.noMail, content: back };
  const stored = primaryEmail(account.user)?.value ?? '';
  const address = shown.address ?? stored;
  const hidden = { request: flow };
  const content = html`${form({
    action: pageAddress(deps, verifyEmailPath),
    agent,
    purpose: verifyPurpose(flow, 'code'),
    hidden,
    content: html`${field({
      name: 'code',
      label: t.emailChange.code,
      autocomplete: 'one-time-code',
      isTypedCode: true,
      isFocused: errors.email === undefined,
      error: errors.code,
    })}
${submit(t.emailChange.confirm)}`,
  })}
<p class="hint">${t.verifyEmail.late}</p>
${form({
  action: pageAddress(deps, otherCodePath),
  agent,
  purpose: verifyPurpose(flow, 'other'),
  hidden,
  content: html`${field({
    name: 'email',
    label: t.email,
    type: 'email',
    autocomplete: 'email',
    value: shown.typed ?? address,
    isFocused: errors.email !== undefined,
    error: errors.email,
  })}
<button type="submit" class="full quiet">${t.verifyEmail.another}</button>`,
})}
${back}`;
  return {
    title: t.emailChange.codeTitle,
    subtitle: `${t.why.verifyEmail} ${t.emailChange.codeText(address)}`,
    content,
    alert,
    notice,
  };
}
