import { html } from '#src/http/pages/html.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm, formButtons } from '../http/account-form.js';
import { accountAddress, type Member } from '../http/member.js';
import { ownCodeField, ownPasswordField, type ProofErrors } from '../http/own-proof.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** The page that shows new recovery codes, this once. */
export function recoveryCodesPage(deps: Deps, member: Member, codes: readonly string[]): PageContent {
  const { recovery: t } = member.visit.texts;
  const content = html`<ol class="codes" data-copy>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p><a class="button full" href="${accountAddress(deps, '/account', member)}">${t.saved}</a></p>
${wayBack(deps, member)}`;
  return { title: t.shownTitle, subtitle: t.shownText, content };
}

/** The page instead of recovery codes that were shown before. It leads to new ones. */
export function goneCodesPage(deps: Deps, member: Member): PageContent {
  const { recovery: t } = member.visit.texts;
  const renewal = accountAddress(deps, '/account/recovery-codes/new', member);
  const content = html`<p><a class="button full" href="${renewal}">${t.renew}</a></p>${wayBack(deps, member)}`;
  return { title: t.title, subtitle: t.goneText, content };
}

/** The page that makes new recovery codes. */
export function codeRenewalPage(deps: Deps, member: Member, errors: ProofErrors = {}): PageContent {
  const { recovery: t } = member.visit.texts;
  const content = accountForm(deps, member, {
    path: '/account/recovery-codes/new',
    purpose: 'recovery-codes',
    content: html`${ownPasswordField(member, errors.password)}
${ownCodeField(member, errors.code)}
${formButtons(member, { label: t.renew, back: accountAddress(deps, '/account', member) })}`,
  });
  return { title: t.renewTitle, subtitle: t.renewText, content };
}

function wayBack(deps: Deps, member: Member) {
  return html`<p class="links"><a href="${accountAddress(deps, '/account', member)}">${member.visit.texts.account}</a></p>`;
}
