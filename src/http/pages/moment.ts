import { hash } from 'node:crypto';
import type { Language } from '../base/language.js';
import { assumedTimeZone, readTimeZone, timeText } from '../base/local-time.js';
import { type Html, html, replaceTimes } from './html.js';

/**
 * A moment in words, with the exact time for programs. It is in UTC here: the frame of the page knows whose page it is, and puts all its
 * times into the zone of that person ({@link inTimeZone}). Undefined for an absent time.
 */
export function moment(time: Date | string | undefined, language: Language): Html | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return html`${String(time)}`;
  return html`<time datetime="${date.toISOString()}">${timeText(date, { language, timeZone: assumedTimeZone })}</time>`;
}

/** Whose page it is: its language, and the time zone of the person's profile, if it has one. */
interface Reader {
  readonly language: Language;
  readonly timeZone?: string | undefined;
}

/** The page with its times in the zone of its reader. Without a zone, the page stays as it is, and {@link localTimesScript} asks the browser. */
export function inTimeZone(page: Html, { language, timeZone }: Reader): Html {
  if (timeZone === undefined) return page;
  return replaceTimes(page, (iso) => timeText(new Date(iso), { language, timeZone }));
}

/** Whether the page has times, or fields with times, that {@link localTimesScript} puts into the zone of the browser. */
export function hasTimes(page: Html): boolean {
  const text = page.toString();
  return text.includes('<time datetime="') || text.includes(' data-zone');
}

/** The name of the zone in which the times of a form are read. The script puts in the name of the browser's zone, if the profile has none. */
export function zoneName({ timeZone }: Pick<Reader, 'timeZone'>): Html {
  return timeZone === undefined ? html`<span data-zone>${assumedTimeZone}</span>` : html`${timeZone}`;
}

/** The hidden field of a form with times. It says in which zone they are, so that the address of a search means the same to everybody. */
export function zoneField({ timeZone }: Pick<Reader, 'timeZone'>): Html {
  return timeZone === undefined
    ? html`<input type="hidden" name="${zoneFieldName}" value="" data-zone>`
    : html`<input type="hidden" name="${zoneFieldName}" value="${timeZone}">`;
}

export const zoneFieldName = 'zone';

/** The zone in which the times of a form are: that of its field, or else that of the profile. */
export function zoneOfForm(named: string, profile: string | undefined): string {
  return readTimeZone(named) ?? profile ?? assumedTimeZone;
}

/**
 * Puts the times of a page into the zone of the browser, also those that come later, and tells it to forms. `data-local` marks what is done.
 * The texts are those of `timeText`.
 */
export const localTimesScript = `const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const language = document.documentElement.lang;
const text = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
const named = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'short' });
function zoneAt(date) {
  return (named.formatToParts(date).find(({ type }) => type === 'timeZoneName') || { value: zone }).value;
}
function localize() {
  for (const one of document.querySelectorAll('time[datetime]:not([data-local])')) {
    const date = new Date(one.dateTime);
    one.dataset.local = '';
    one.textContent = text.format(date) + ' ' + zoneAt(date);
  }
  for (const one of document.querySelectorAll('[data-zone]:not([data-local])')) {
    one.dataset.local = '';
    if (one.tagName === 'INPUT') one.value = zone;
    else one.textContent = zone;
  }
}
localize();
new MutationObserver(localize).observe(document.body, { childList: true, subtree: true });
`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const localTimesPath = `/login/assets/${hash('sha256', localTimesScript, 'hex').slice(0, 16)}.js`;
