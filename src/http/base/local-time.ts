import { createLru } from '#src/platform/lru.js';
import type { Language } from './language.js';

/** The zone of times whose reader has none that is known. */
export const assumedTimeZone = 'UTC';

interface Formats {
  readonly date: Intl.DateTimeFormat;
  readonly zone: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
}

/** There are about 600 zones. Callers choose them, and each takes some 100 KiB. */
const known = createLru<Formats>({ max: 60 });

/** @throws RangeError if there is no such zone */
function formatsOf(timeZone: string, language: Language): Formats {
  const key = `${language} ${timeZone}`;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const made: Formats = {
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    zone: new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' }),
    clock: new Intl.DateTimeFormat('en', {
      ...{
        timeZone,
        calendar: 'iso8601',
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', era: 'short' },
    }),
  };
  known.set(key, made);
  return made;
}

/** The name of an IANA time zone that a browser or a form sent. Undefined if it is none. */
export function readTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z][\w+\-/]{1,63}$/.test(text)) return undefined;
  try {
    formatsOf(text, 'en');
    return text;
  } catch {
    return undefined;
  }
}

/** A moment in words, with the short name of its zone, such as `26 Oct 2025, 02:30 CET`. */
export function timeText(
  date: Date,
  { language, timeZone }: { language: Language; timeZone: string },
): string {
  if (Number.isNaN(date.getTime())) return '';
  const formats = formatsOf(timeZone, language);
  const zone = formats.zone.formatToParts(date).find(({ type }) => type === 'timeZoneName');
  return `${formats.date.format(date)} ${zone?.value ?? timeZone}`;
}

/** What a clock of the zone shows, as fields for dates have it: `2025-10-26T02:30`. */
export function clockText(date: Date, timeZone: string): string {
  return new Date(clockOf(date.getTime(), timeZone)).toISOString().slice(0, 16);
}

/**
 * The moment at which a clock of the zone shows this time. A clock that is put back shows a time twice: `edge` says whether the first or
 * the last of them is meant. It never shows the times that it leaves out when it is put forward: the moment of that change stands for them.
 * @param text `2025-10-26T02:30`, as a browser sends it. Undefined is returned for any other text
 */
export function momentAt(
  text: string,
  { timeZone, edge }: { timeZone: string; edge: 'first' | 'last' },
): Date | undefined {
  const wanted = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
  if (Number.isNaN(wanted)) return undefined;
  // No zone is further from UTC, and no clock is changed twice within so short a time.
  const [early, late] = [wanted - dayMs, wanted + dayMs];
  const candidates = [early, late]
    .map((near) => wanted - (clockOf(near, timeZone) - near))
    .filter((moment) => clockOf(moment, timeZone) === wanted)
    .sort((a, b) => a - b);
  const moment = edge === 'first' ? candidates[0] : candidates.at(-1);
  return new Date(moment ?? changeBefore(wanted, { early, late, timeZone }));
}

const dayMs = 86_400_000;

/** The moment after which the clock shows more than a time that it leaves out. */
function changeBefore(
  wanted: number,
  { early, late, timeZone }: { early: number; late: number; timeZone: string },
): number {
  let [before, after] = [early, late];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (clockOf(middle, timeZone) > wanted) after = middle;
    else before = middle;
  }
  return after;
}

/** The time that a clock of the zone shows at a moment, as the milliseconds of that time in UTC. Whole seconds. */
function clockOf(moment: number, timeZone: string): number {
  const parts = formatsOf(timeZone, 'en').clock.formatToParts(new Date(moment));
  const value = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const year = parts.some(({ type, value: era }) => type === 'era' && era.startsWith('B'))
    ? 1 - value('year')
    : value('year');
  const shown = new Date(0);
  shown.setUTCFullYear(year, value('month') - 1, value('day'));
  shown.setUTCHours(value('hour'), value('minute'), value('second'));
  return shown.getTime();
}
