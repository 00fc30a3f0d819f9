import { form } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountPurpose, type Member } from './member.js';

/** A form of the account pages. It is posted for one session. */
export function accountForm(
  deps: Pick<LoginNeeds, 'config'>,
  { visit, session }: Member,
  parts: { path: string; purpose: string; hidden?: Record<string, string>; content: Html },
): Html {
  return form({
    action: pageAddress(deps, parts.path),
    agent: visit.agent,
    purpose: accountPurpose(parts.purpose, session.id),
    hidden: { session: session.id, ...parts.hidden },
    content: parts.content,
  });
}

/** The button that submits a form of its own page, and the way back. */
export function formButtons(
  { visit: { texts: t } }: Member,
  { label, back }: { label: string; back: string },
): Html {
  return html`<button type="submit" class="full">${label}</button>
<p class="links"><a href="${back}">${t.cancel}</a></p>`;
}
