import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { actionButton } from '../http/form.js';
import { card, exact, facts, moment } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { domainsPage } from './domains-page.js';
import { crumbsOf, settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

interface Proof {
  readonly recordName: string;
  readonly recordValue: string;
  readonly checked?: string;
}

/** What the look for the record came to, if the domain is not proved. */
const outcomes = ['recordMissing', 'recordOther', 'resolverFailed'] as const;

/** The record that proves a domain, and the button that looks for it. Before the proof begins, the list of domains, which has the button for that. */
export async function domainProofPage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage> {
  const [organization, proof] = await Promise.all([organizationOf(visit), proofOf(visit)]);
  if (proof === undefined) return domainsPage(visit, problem);
  const texts = settingsTexts[visit.language];
  const said = outcomes.find((outcome) => outcome === queryText(visit, 'outcome'));
  const name = param(visit, 'domainName');
  const rows = facts([
    [texts.recordType, exact('TXT')],
    [texts.recordName, exact(proof.recordName)],
    [texts.recordValue, exact(proof.recordValue)],
    ...(proof.checked === undefined
      ? []
      : ([[texts.recordChecked, moment(proof.checked, visit.language) ?? '']] as const)),
  ]);
  const check = actionButton(visit, {
    action: pathOf(visit, `/settings/domains/${segmentOf(name)}/proof/check`),
    label: texts.checkRecord,
  });
  return settingsFrame(visit, {
    organization,
    tab: 'domains',
    crumbs: crumbsOf(visit, 'domains'),
    content: html`${said !== undefined && html`<div class="alert" role="alert"><p>${texts[said]}</p></div>`}
${card(texts.proveDomain(name), html`${rows}<div class="buttons">${check}</div>`, { hint: texts.proveDomainHint })}`,
    ...(problem && { refused: { problem } }),
  });
}

/** Undefined for a domain of the organization whose proof has not begun. @throws ApiProblem for another domain */
async function proofOf(visit: ConsoleVisit): Promise<Proof | undefined> {
  try {
    return await visit.api.get<Proof>(`${domainApi(visit)}/proof`);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.id !== 'directory.domainProofNotFound') throw error;
  }
  await visit.api.get(domainApi(visit));
  return undefined;
}

/** Begins the proof of a domain. */
export async function startDomainProof(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const problem = await refusalOf(() => visit.api.send('POST', `${domainApi(visit)}/proof`));
  return problem ? domainsPage(visit, problem) : { goTo: pathOf(visit, `${pagePath(visit)}/proof`) };
}

/** Looks for the record. */
export async function lookForRecord(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  let outcome = '';
  const problem = await refusalOf(async () => {
    const answer = await visit.api.send<{ outcome: string }>('POST', `${domainApi(visit)}/proof/check`);
    outcome = answer.outcome;
  });
  if (problem) return domainProofPage(visit, problem);
  if (outcome === 'proved') return { goTo: pathOf(visit, '/settings/domains') };
  return { goTo: `${pathOf(visit, `${pagePath(visit)}/proof`)}?outcome=${outcome}` };
}

function pagePath(visit: ConsoleVisit): string {
  return `/settings/domains/${segmentOf(param(visit, 'domainName'))}`;
}

function domainApi(visit: ConsoleVisit): string {
  return apiOf(visit, `/domains/${segmentOf(param(visit, 'domainName'))}`);
}
