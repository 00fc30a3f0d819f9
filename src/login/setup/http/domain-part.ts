import { exact } from '#src/http/pages/copy.js';
import { field, submit } from '#src/http/pages/form.js';
import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { recordOf } from '#src/organizations/domain-proofs/index.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { setupTexts } from '../texts/texts.js';
import type { SetupVisit } from './setup-session.js';
import { type SetupDomain, type SetupView, stepForm } from './setup-view.js';

/** The domains that the link named. Those that it has not proved have the record that proves them. */
export async function namedDomains(
  { domainProofs }: Pick<LoginNeeds, 'domainProofs'>,
  { link, organization }: SetupVisit,
): Promise<SetupDomain[]> {
  const named = await Promise.all(
    (link.domains ?? []).map(async (domainName): Promise<SetupDomain | undefined> => {
      const isVerified = organization.domains.includes(domainName);
      if (isVerified && link.provedDomains?.includes(domainName) === true) return { domainName };
      // An owner may have removed it.
      if (!isVerified && !organization.unverifiedDomains.includes(domainName)) return undefined;
      const proof = await domainProofs.find(link.orgId, domainName);
      return proof && { domainName, record: recordOf(proof) };
    }),
  );
  return named.filter((domain) => domain !== undefined);
}

const outcomes = ['recordMissing', 'recordOther', 'resolverFailed'] as const;

/** The step that proves domains: the record of each, and the form for one more. */
export function domainStep(view: SetupView): HtmlValue {
  const { visit, shown, domains } = view;
  const t = setupTexts[visit.language];
  const { refused } = shown;
  const looked = outcomes.find((outcome) => outcome === shown.looked);
  const said = refused?.step === 'domain' ? filled(t.refused, { reason: refused.reason }) : undefined;
  const typed = refused?.step === 'domain' ? refused.typed('domain') : '';
  return html`<p>${t.domainText}</p>
${(said !== undefined || looked !== undefined) && html`<p class="error" role="alert">${said ?? (looked && t[looked])}</p>`}
${stepForm(view, 'domain', 'domain', html`${field({ name: 'domain', label: t.domain, value: typed, autocomplete: 'off', hint: 'acme.example' })}${submit(t.addDomain)}`)}
${domains.map((domain) => domainOf(view, domain))}`;
}

function domainOf(view: SetupView, { domainName, record }: SetupDomain): Html {
  const t = setupTexts[view.visit.language];
  if (record === undefined) return html`<p><strong>${domainName}</strong> ${t.proved}</p>`;
  const check = html`<input type="hidden" name="domain" value="${domainName}">${submit(t.checkRecord)}`;
  return html`<p><strong>${domainName}</strong></p><p>${t.publish}</p>
<p>${t.recordName}<br>${exact(record.name)}</p><p>${t.recordValue}<br>${exact(record.value)}</p>
${stepForm(view, 'domain', 'domain/check', check)}`;
}
