import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { card, moment } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, ownsInstance } from '../http/visit.js';
import { eventList, type FoundEvents } from '../log/event-list.js';
import { isOpen, type JobList, jobTable } from '../migration/jobs.js';
import { type Attention, readAttention } from './attention.js';
import { firstStepsCard } from './first-steps.js';
import { startTexts } from './texts/texts.js';

/** What happened, what runs and what needs attention, as far as the roles of the person reach. */
export async function startPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { me, language, t, at } = visit;
  const texts = startTexts[language];
  const organization = ownedOrganization(visit);
  if (organization === undefined) return withoutLog(visit);
  const isInstance = ownsInstance(visit);
  const resourceOwner = isInstance ? undefined : organization;
  const [found, jobs, attention, firstSteps] = await Promise.all([
    visit.api.send<FoundEvents>('POST', '/admin/v1/events/_search', {
      limit: 8,
      names: true,
      ...(resourceOwner !== undefined && { resourceOwner }),
    }),
    visit.api.get<JobList>('/admin/v1/jobs', { limit: 5, state: 'queued,running' }),
    readAttention(visit, resourceOwner),
    firstStepsCard(visit, organization),
  ]);
  const log = isInstance ? '/console/log' : `/console/orgs/${segmentOf(organization)}/log`;
  const running = jobs.items.filter(isOpen);
  return {
    title: texts.welcome(me.displayName),
    subtitle: isInstance ? texts.aboutInstance : texts.aboutOrganization,
    content: html`${firstSteps}
<div class="cards">${card(texts.attention, attentionList(visit, attention))}
${card(
  texts.running,
  running.length === 0
    ? html`<p class="soft">${texts.nothingRuns}</p>`
    : jobTable(visit, running, { caption: texts.running, isLinked: isInstance }),
)}</div>
${organizationsOf(visit).length > 1 && card(t.nav.organizations, organizationLinks(visit))}
${card(
  texts.happened,
  html`${eventList(visit, found, { path: log, ofInstance: isInstance })}
<p class="buttons"><a class="button quiet" href="${at(log)}">${t.nav.log}</a></p>`,
)}`,
  };
}

/** The organization whose owner the person is. For owners of the instance it is their own, if they own no other. */
function ownedOrganization(visit: ConsoleVisit): string | undefined {
  const owned = visit.me.roles.find(({ role }) => role === 'ORG_OWNER')?.orgId;
  return owned ?? (ownsInstance(visit) ? visit.me.orgId : undefined);
}

/** For people who manage or see users, and for people without a role. */
function withoutLog(visit: ConsoleVisit): ConsolePage {
  const { me, at, language, t } = visit;
  const texts = startTexts[language];
  const links: HtmlValue =
    organizationsOf(visit).length === 0
      ? html`<p>${texts.noRole}</p><p class="buttons"><a class="button" href="${at('/account')}">${t.myAccount}</a></p>`
      : organizationLinks(visit);
  return { title: texts.welcome(me.displayName), content: html`<div class="card">${links}</div>` };
}

/** The organizations that the roles of the person name. */
function organizationsOf({ me }: ConsoleVisit): string[] {
  return [...new Set(me.roles.flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId])))];
}

function organizationLinks(visit: ConsoleVisit): Html {
  const { me, at, language, t } = visit;
  return html`<p>${startTexts[language].yourUsers}</p><ul class="plain">${organizationsOf(visit).map(
    (orgId) =>
      html`<li><a href="${at(`/console/orgs/${segmentOf(orgId)}/users`)}">${t.nav.users}</a> <code>${me.organizations.find(({ id }) => id === orgId)?.name ?? orgId}</code></li>`,
  )}</ul>`;
}

function attentionList({ at, language }: ConsoleVisit, items: readonly Attention[]): Html {
  const texts = startTexts[language];
  if (items.length === 0) return html`<p class="soft">${texts.nothing}</p>`;
  return html`<ul class="plain">${items.map(
    ({ kind, name, path, time }) =>
      html`<li>${texts.kinds[kind]}: <a href="${at(path)}">${name}</a> <span class="soft">${moment(time, language)}</span></li>`,
  )}</ul>`;
}
