import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { moment, table } from '../http/parts.js';
import { linkTo, segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
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
  readonly nextCursor?: string;
}

/** Events as a table: when, what, and where if they are of several organizations. */
export function eventList(
  visit: Pick<ConsoleVisit, 'at' | 'language' | 't'>,
  { events, names = [] }: FoundEvents,
  { path, ofInstance }: { path: string; ofInstance: boolean },
): Html {
  const { language, t } = visit;
  const texts = logTexts[language];
  const nameOf = namesWithLinks(visit, names);
  const rows = events.map((event): HtmlValue[] => {
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

/** Names that lead to the pages of their objects. */
function namesWithLinks({ at }: Pick<ConsoleVisit, 'at'>, names: readonly EventName[]): NameOf {
  const known = new Map(names.map((one) => [one.id, one]));
  return (id) => {
    const found = known.get(id);
    if (found === undefined) return undefined;
    const { type, orgId, name } = found;
    const base = `/console/orgs/${segmentOf(orgId)}`;
    if (type === 'org') return html`<a href="${at(`${base}/users`)}">${name}</a>`;
    const folder = Object.hasOwn(folders, type) ? folders[type] : undefined;
    return folder === undefined ? name : linkTo({ at }, [`${base}/${folder}`, id], name);
  };
}
