import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { moment, table } from '../http/parts.js';
import { linkTo, pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, ownsInstance } from '../http/visit.js';
import { describeEvent, eventDetails, type LoggedEvent, type NameOf } from './describe-event.js';
import { logTexts } from './texts/page.js';

/** An object that events name, as the API returns it. */
interface EventName {
  readonly id: string;
  readonly type: string;
  readonly orgId: string;
  readonly name: string;
}

export interface FoundEvents {
  readonly events: readonly LoggedEvent[];
  readonly names?: readonly EventName[];
  /** Those who acted and belong to an organization that the person may not read. */
  readonly outsiders?: readonly { readonly id: string; readonly ownsService: boolean }[];
  readonly nextCursor?: string;
}

/** Events as a table: when, what, and where if they are of several organizations. */
export function eventList(
  visit: Pick<ConsoleVisit, 'at' | 'language' | 't' | 'me'>,
  found: FoundEvents,
  { path, ofInstance }: { path: string; ofInstance: boolean },
): Html {
  const { language, t } = visit;
  const texts = logTexts[language];
  const named = namesIn(visit, found);
  const rows = found.events.map((event): HtmlValue[] => {
    const nameOf: NameOf = (id, isFirst) =>
      named(id, isFirst) ?? (id === event.aggregate.id ? pageOf(visit, event) : undefined);
    const details = eventDetails(event, language, nameOf);
    const { resourceOwner } = event.aggregate;
    const what = html`<div>${describeEvent(event, language, nameOf)}${
      details.length > 0 &&
      html`<p class="hint">${details.map(([name, value], at) => html`${at > 0 && ' · '}${name}: ${value}`)}</p>`
    }${more(visit, event, path)}</div>`;
    const where =
      resourceOwner === '*' ? texts.instance : (nameOf(resourceOwner) ?? html`<code>${resourceOwner}</code>`);
    return [moment(event.creationDate, language), what, ...(ofInstance ? [where] : [])];
  });
  const columns = [texts.when, texts.what, ...(ofInstance ? [texts.organization] : [])];
  return table({ caption: t.nav.log, columns, rows });
}

/** Longest payload that is shown, in characters. */
const maxPayload = 1_000;

/** The identifiers behind the words, and the way to what else concerns them. */
function more(
  { at, language, t }: Pick<ConsoleVisit, 'at' | 'language' | 't'>,
  event: LoggedEvent,
  path: string,
): Html {
  const { aggregate, editor, payload, type, creationDate } = event;
  const texts = logTexts[language];
  const text = JSON.stringify(payload);
  return html`<details><summary>${texts.details}</summary><p class="hint"><code>${type}</code> · ${creationDate} · ${texts.service}: ${editor.service}<br>
${t.identifier}: <a href="${at(path, { person: aggregate.id })}"><code>${aggregate.id}</code></a> · ${texts.actor}: <a href="${at(path, { actor: editor.userId })}"><code>${editor.userId}</code></a>${
    text !== '{}' &&
    html`<br>
<code>${text.length > maxPayload ? `${text.slice(0, maxPayload)}…` : text}</code>`
  }</p></details>`;
}

const folders: Readonly<Record<string, string>> = {
  user: 'users',
  serviceUser: 'service-users',
  group: 'groups',
  application: 'applications',
  project: 'projects',
};

/** A link for an object without a name: a job, or a signing key. */
function pageOf(visit: Pick<ConsoleVisit, 'at' | 'me'>, { aggregate, type }: LoggedEvent): Html | undefined {
  const { id, type: kind, resourceOwner } = aggregate;
  const link = (base: string) => linkTo(visit, [base, id], html`<code>${id}</code>`);
  if (type.startsWith('signing.'))
    return html`<a href="${visit.at('/console/service')}"><code>${id}</code></a>`;
  if (kind !== 'job') return undefined;
  if (ownsInstance(visit)) return link('/console/migration/jobs');
  const users = `${pathTo('/console/orgs', resourceOwner)}/users`;
  return link(`${users}/${type.startsWith('export.') ? 'export' : 'many'}/jobs`);
}

/**
 * Names that lead to the pages of their objects. Somebody who acted from an organization that the person may not read has no name here, and is
 * called by what gave the right.
 */
export function namesIn(
  { at, language }: Pick<ConsoleVisit, 'at' | 'language'>,
  { names = [], outsiders = [] }: FoundEvents,
): NameOf {
  const known = new Map(names.map((one) => [one.id, one]));
  const foreign = new Map(outsiders.map(({ id, ownsService }) => [id, ownsService]));
  const texts = logTexts[language];
  return (id, isFirst = false) => {
    const found = known.get(id);
    const owns = foreign.get(id);
    if (found === undefined) {
      const text = owns === undefined ? undefined : owns ? texts.serviceOwner : texts.outsider;
      return isFirst ? text?.replace(/^./u, (letter) => letter.toUpperCase()) : text;
    }
    const { type, orgId, name } = found;
    const base = `/console/orgs/${segmentOf(orgId)}`;
    if (type === 'org') return html`<a href="${at(`${base}/users`)}">${name}</a>`;
    const folder = Object.hasOwn(folders, type) ? folders[type] : undefined;
    return folder === undefined ? name : linkTo({ at }, [`${base}/${folder}`, id], name);
  };
}
