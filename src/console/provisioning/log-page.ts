import { type HtmlValue, html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import { select } from '../http/form.js';
import { badge, emptyList, exact, moment, number, pager, table, withEnglish } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { nameOfUser } from '../resources/name-of-user.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { provisioningFrame } from './provisioning-frame.js';
import { provisioningTexts } from './texts/texts.js';

interface Entry {
  readonly time: string;
  readonly kind: 'success' | 'failure' | 'refused';
  readonly serviceUserId?: string;
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly status: number;
  readonly errorId?: string;
  readonly errorMessage?: string;
  readonly duration: number;
  readonly userAgent?: string;
}

const kinds = ['failure', 'refused', 'success'] as const;

/** What clients sent and got, the latest first. */
export async function logPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, t, language, api } = visit;
  const texts = provisioningTexts[language];
  const [after, serviceUserId] = ['after', 'serviceUserId'].map((name) => queryText(visit, name));
  const kind = kinds.find((name) => name === queryText(visit, 'kind'));
  const filters = { kind, serviceUserId };
  const [organization, { items, next }, users] = await Promise.all([
    organizationOf(visit),
    api.get<{ items: readonly Entry[]; next?: string }>(apiOf(visit, '/provisioning-log'), {
      ...filters,
      after,
    }),
    api.get<{ items: readonly { id: string; name: string }[] }>(apiOf(visit, '/service-users'), {
      limit: 100,
    }),
  ]);
  const names = await namesOf(visit, items, users.items);
  const rows = items.map((entry) => rowOf(visit, entry, names));
  const path = pathOf(visit, '/provisioning/log');
  const isFiltered = kind !== undefined || serviceUserId !== '';
  const filter = html`<form class="search" action="${at(path)}">
${select({ name: 'kind', label: texts.outcome, value: kind, choices: [{ value: '', label: texts.all }, ...kinds.map((value) => ({ value, label: texts[`kind_${value}`] }))] })}
${select({ name: 'serviceUserId', label: texts.sender, value: serviceUserId, choices: [{ value: '', label: texts.all }, ...users.items.map(({ id, name }) => ({ value: id, label: name }))] })}
<button type="submit" class="quiet">${texts.filter}</button></form>`;
  const columns = [texts.time, texts.sender, texts.request, texts.outcome, texts.duration, texts.userAgent];
  return provisioningFrame(visit, {
    organization,
    tab: 'log',
    content: html`<p class="soft">${texts.logHint}</p>${filter}
${rows.length > 0 ? table({ caption: texts.log, columns, rows }) : isFiltered ? emptyList(texts.logNoneFound, { href: at(path), label: texts.all }) : emptyList(texts.logNone, { href: at(pathOf(visit, '/provisioning/test')), label: texts.test })}
${pager({
  t,
  first: after === '' ? undefined : at(path, filters),
  next: next === undefined ? undefined : at(path, { ...filters, after: next }),
})}`,
  });
}

function rowOf(visit: ConsoleVisit, entry: Entry, names: ReadonlyMap<string, string>): HtmlValue[] {
  const { language } = visit;
  const { method, path, query, status, errorId, errorMessage, kind, serviceUserId = '' } = entry;
  return [
    moment(entry.time, language),
    serviceUserId === ''
      ? provisioningTexts[language].nobody
      : (names.get(serviceUserId) ?? exact(serviceUserId)),
    exact(`${method} ${path}${query === undefined ? '' : `?${query}`}`),
    html`${badge(String(status), kind === 'success' ? 'good' : 'bad')}${
      errorId !== undefined &&
      withEnglish(textOfRefusal(language, { id: errorId, status }), {
        id: errorId,
        english: errorMessage ?? '',
      })
    }`,
    `${number(entry.duration, language)} ms`,
    entry.userAgent,
  ];
}

/** The names of the senders. Those that are not among the first service users are read one by one. */
async function namesOf(
  visit: ConsoleVisit,
  items: readonly Entry[],
  known: readonly { id: string; name: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const missing = new Set(items.flatMap(({ serviceUserId }) => serviceUserId ?? []));
  for (const id of missing) {
    if (!names.has(id)) names.set(id, (await nameOfUser(visit, id))?.name ?? id);
  }
  return names;
}
