import { momentAt } from '#src/http/base/local-time.js';
import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { zoneField, zoneFieldName, zoneName, zoneOfForm } from '#src/http/pages/moment.js';
import { field } from '../http/form.js';
import { badge, moment } from '../http/parts.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { credentialTexts } from './texts/texts.js';

const soonMs = 30 * 24 * 3_600_000;

/** When a credential expires. What expires within 30 days is marked. */
export function expiry({ language }: Pick<ConsoleVisit, 'language'>, expires: string | undefined): HtmlValue {
  const t = credentialTexts[language];
  if (expires === undefined) return t.noExpiry;
  const left = Date.parse(expires) - Date.now();
  const mark = left <= 0 ? t.expired : left < soonMs ? t.expiresSoon : undefined;
  return html`${moment(expires, language)} ${mark !== undefined && badge(mark, 'bad')}`;
}

/** The field of a form for the last day on which something works, and the zone in which that day ends. */
export function lastDayField(
  visit: Pick<ConsoleVisit, 'timeZone'>,
  { hint, ...parts }: { name: string; label: string; value: string; hint: string },
): Html {
  const zone = zoneName(visit);
  return html`${field({ ...parts, type: 'date', hint: filled(hint, { zone }) })}${zoneField(visit)}`;
}

/** The field as a moment: the end of that day, where the person is. Undefined for an empty field. */
export function endOfDay(visit: ConsoleVisit, name: string): string | undefined {
  const date = fieldText(visit, name);
  if (date === '') return undefined;
  const timeZone = zoneOfForm(fieldText(visit, zoneFieldName), visit.timeZone);
  const lastMinute = momentAt(`${date}T23:59`, { timeZone, edge: 'last' });
  // The API says what is wrong with a text that is no date.
  return lastMinute === undefined ? date : new Date(lastMinute.getTime() + 59_000).toISOString();
}
