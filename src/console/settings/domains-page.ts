import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage, type RemovalQuestion } from '../confirmation/confirm-removal.js';
import type { ApiProblem } from '../http/api.js';
import { actionButton, buttons, checkbox, field, form } from '../http/form.js';
import { badge, card, emptyList, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, ownsInstance, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { crumbsOf, settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

interface Domain {
  readonly domainName: string;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
}

/** The domains of an organization. */
export async function domainsPage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage> {
  const [organization, { items }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<{ items: readonly Domain[] }>(apiOf(visit, '/domains')),
  ]);
  const { t } = visit;
  const texts = settingsTexts[visit.language];
  const rows = items.map((domain) => [
    domain.domainName,
    html`${domain.isVerified ? badge(texts.verified, 'good') : badge(texts.unverified)} ${domain.isPrimary && badge(texts.primary)}`,
    html`<div class="actions">${actionsOf(visit, domain)}</div>`,
  ]);
  const add = form(visit, {
    action: pathOf(visit, '/settings/domains'),
    content: html`${field({ name: 'domainName', label: texts.domain, value: fieldText(visit, 'domainName'), isRequired: true, maxLength: 253, isExact: true, placeholder: 'acme.example' })}
${ownsInstance(visit) && checkbox({ name: 'isVerified', label: texts.addVerified, hint: texts.addVerifiedHint, isChecked: fieldText(visit, 'isVerified') === 'on' })}
${buttons(t.add)}`,
  });
  return settingsFrame(visit, {
    organization,
    tab: 'domains',
    content: html`${rows.length === 0 ? emptyList(texts.noDomains) : table({ caption: texts.domains, columns: [texts.domain, texts.state, texts.actions], rows })}
${card(texts.addDomain, add, { hint: ownsInstance(visit) ? texts.domainHint : texts.domainHintOwner })}`,
    ...(problem && { refused: { problem } }),
  });
}

function actionsOf(visit: ConsoleVisit, { domainName, isVerified, isPrimary }: Domain) {
  const texts = settingsTexts[visit.language];
  const base = `/settings/domains/${segmentOf(domainName)}`;
  const button = (label: string, hidden: Record<string, string>) =>
    actionButton(visit, { action: pathOf(visit, `${base}/change`), label, hidden });
  const prove = actionButton(visit, { action: pathOf(visit, `${base}/proof`), label: texts.prove });
  return html`${!isVerified && prove}${!isVerified && ownsInstance(visit) && button(texts.verify, { change: 'verify' })}
${isVerified && !isPrimary && button(texts.makePrimary, { change: 'primary' })}
<a class="button quiet" href="${visit.at(pathOf(visit, `${base}/remove`))}">${visit.t.remove}</a>`;
}

/** Adds a domain. */
export async function addDomain(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = {
    domainName: fieldText(visit, 'domainName'),
    ...(fieldText(visit, 'isVerified') === 'on' && { isVerified: true }),
  };
  const problem = await refusalOf(() => visit.api.send('POST', apiOf(visit, '/domains'), body));
  return problem ? domainsPage(visit, problem) : { goTo: pathOf(visit, '/settings/domains') };
}

/** Verifies a domain, or makes it the primary one. */
export async function changeDomain(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = fieldText(visit, 'change') === 'verify' ? { isVerified: true } : { isPrimary: true };
  const problem = await refusalOf(() => visit.api.send('PATCH', domainApi(visit), body));
  return problem ? domainsPage(visit, problem) : { goTo: pathOf(visit, '/settings/domains') };
}

/** Asks before a domain is removed. */
export async function removeDomainPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  await visit.api.get(domainApi(visit));
  return confirmRemovalPage(visit, await removalOf(visit), problem);
}

/** Removes a domain. */
export async function removeDomain(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  if (!isConfirmed(visit, param(visit, 'domainName'))) return removeDomainPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', domainApi(visit)));
  if (problem) return removeDomainPage(visit, problem);
  return { goTo: pathOf(visit, '/settings/domains') };
}

async function removalOf(visit: ConsoleVisit): Promise<RemovalQuestion> {
  const texts = settingsTexts[visit.language];
  const name = param(visit, 'domainName');
  return {
    organization: await organizationOf(visit),
    title: texts.removeDomain,
    text: html`<p>${texts.removeDomainText}</p>`,
    name,
    action: `/settings/domains/${segmentOf(name)}/remove`,
    back: '/settings/domains',
    crumbs: crumbsOf(visit, 'domains'),
  };
}

function domainApi(visit: ConsoleVisit): string {
  return apiOf(visit, `/domains/${segmentOf(param(visit, 'domainName'))}`);
}
