import { type Html, html } from '#src/http/pages/html.js';
import { zoneField, zoneName } from '#src/http/pages/moment.js';
import { field } from '../http/form.js';
import { emptyList, pager } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { kindInWords } from './describe-event.js';
import { eventList, type FoundEvents } from './event-list.js';
import { conditionsOf, type LogFilter, readFilter, type Unmet } from './log-filter.js';
import type { Topic } from './texts/page.js';
import { type LogTexts, logTexts } from './texts/page.js';
import { kindsOf, topics } from './topics.js';

/** Events on one page. */
const pageSize = 30;

/** The log of an organization, or of the whole service: a page of events, the newest first, with filters. */
export async function logPage(
  visit: ConsoleVisit,
  organization?: { readonly id: string; readonly name: string },
): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = logTexts[language];
  const path =
    organization === undefined ? '/console/log' : `/console/orgs/${segmentOf(organization.id)}/log`;
  const filter = readFilter(visit);
  const cursor = queryText(visit, 'after').slice(0, 100);
  const asked = await conditionsOf(visit, filter, organization?.id);
  const found =
    'conditions' in asked
      ? await api.send<FoundEvents>('POST', '/admin/v1/events/_search', {
          ...asked.conditions,
          limit: pageSize,
          cursor,
          names: true,
        })
      : { events: [] };
  const { nextCursor } = found;
  const list =
    found.events.length === 0
      ? 'several' in asked
        ? severalPeople(visit, { path, filter, ...asked })
        : emptyList('conditions' in asked ? noneText(found, texts) : unmetText(asked, texts), {
            href: at(path),
            label: texts.showAll,
          })
      : eventList(visit, found, { path, ofInstance: organization === undefined });
  const next = nextCursor === undefined ? undefined : at(path, { ...filter, after: nextCursor });
  const first = cursor === '' ? undefined : at(path, { ...filter });
  const fields = filterFields(visit, filter, organization === undefined);
  return {
    title: t.nav.log,
    subtitle: organization === undefined ? texts.about : texts.aboutOrganization,
    ...(organization && { organization }),
    content: searchForm(visit, { path, fields, results: html`${list}${pager({ t, first, next })}` }),
  };
}

function noneText({ nextCursor }: FoundEvents, texts: LogTexts): string {
  return nextCursor === undefined ? texts.none : texts.noneYet;
}

/** The people whose names begin with what was typed, each with the way to its events. */
function severalPeople(
  { at, language }: Pick<ConsoleVisit, 'at' | 'language'>,
  {
    path,
    filter,
    several,
    field: name,
  }: Extract<Unmet, { several: unknown }> & { path: string; filter: LogFilter },
): Html {
  return html`<p>${logTexts[language].several}</p><ul class="plain">${several.map(
    ({ id, displayName, userName }) =>
      html`<li><a href="${at(path, { ...filter, [name]: id })}">${displayName}</a> <span class="soft">${userName}</span></li>`,
  )}</ul>`;
}

function unmetText(unmet: Exclude<Unmet, { several: unknown }>, texts: LogTexts): string {
  return 'unknown' in unmet ? texts.unknownPerson(unmet.unknown) : texts.needsOrganization;
}

function filterFields(visit: ConsoleVisit, filter: LogFilter, ofInstance: boolean): Html {
  const { language, timeZone } = visit;
  const texts = logTexts[language];
  const zoned = { timeZone: timeZone ?? (filter.zone === '' ? undefined : filter.zone) };
  const exact = { type: 'search', maxLength: 200, isExact: true } as const;
  return html`${field({ name: 'person', label: texts.person, value: filter.person, placeholder: texts.personHint, ...exact })}
${field({ name: 'actor', label: texts.actorLabel, value: filter.actor, placeholder: texts.personHint, ...exact })}
${typeField(visit, filter.type)}
${field({ name: 'since', label: html`${texts.since} (${zoneName(zoned)})`, type: 'datetime-local', value: filter.since })}
${field({ name: 'until', label: html`${texts.until} (${zoneName(zoned)})`, type: 'datetime-local', value: filter.until })}${zoneField(zoned)}
${ofInstance && field({ name: 'org', label: texts.organization, value: filter.org, ...exact })}`;
}

/** The kinds of events, each below its subject. */
function typeField({ language }: Pick<ConsoleVisit, 'language'>, value: string): Html {
  const texts = logTexts[language];
  const option = (name: string, label: string) =>
    html`<option value="${name}"${name === value && html` selected`}>${label}</option>`;
  return html`<div class="field"><label for="f-type">${texts.type}</label>
<select id="f-type" name="type">${option('', texts.all)}
${(Object.keys(topics) as Topic[]).map(
  (topic) =>
    html`<optgroup label="${texts.topics[topic]}">${option(topic, `${texts.topics[topic]}: ${texts.allOfTopic}`)}${kindsOf(topic).map((type) => option(type, kindInWords(type, language, texts.somebody)))}</optgroup>`,
)}</select></div>`;
}
