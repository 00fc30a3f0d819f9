import { type HtmlValue, html } from '#src/http/pages/html.js';
import { badge, moment } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
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

/** A date of a form as a moment: the end of that day. Undefined for an empty field. */
export function endOfDay(date: string): string | undefined {
  if (date === '') return undefined;
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T23:59:59Z` : date;
}
