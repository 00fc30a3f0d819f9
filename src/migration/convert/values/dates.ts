import { parseDateTime } from '#src/platform/date-time.js';
import type { SourceRecord } from '../reading/source-record.js';

/** When a person was created and last changed, as a system tells it. */
export interface SourceDates {
  /**
   * RFC 3339, the form of a database (`2023-05-01 10:00:00+00`), generalized time of LDAP (RFC 4517 section 3.3.13), or seconds or milliseconds
   * since 1970.
   */
  readonly created?: unknown;
  readonly lastModified?: unknown;
}

/**
 * Takes the dates of a record that an import accepts, and returns all of them. The others stay, so that they are lost. {@link datesOf} makes
 * a note for each.
 */
export function takeDates(
  source: SourceRecord,
  { created = [], lastModified = [] }: { readonly [Name in keyof SourceDates]?: readonly string[] },
): SourceDates {
  const given = {
    ...(created.length > 0 && { created: source.look(...created) }),
    ...(lastModified.length > 0 && { lastModified: source.look(...lastModified) }),
  };
  const accepted = datesOf(given, []);
  if (accepted.created !== undefined) source.take(...created);
  if (accepted.lastModified !== undefined) source.take(...lastModified);
  return given;
}

/**
 * Returns the dates of a record. A date that an import would refuse is left out with a note, because the person must not be lost for it.
 * @param notes gets a note for each such date
 */
export function datesOf(given: SourceDates, notes: string[]): { created?: string; lastModified?: string } {
  const created = dateOf('created', given.created, notes);
  const lastModified = dateOf('lastModified', given.lastModified, notes);
  const isOrdered = created === undefined || lastModified === undefined || created <= lastModified;
  if (!isOrdered) notes.push('lastModified is before created; left out');
  return {
    ...(created && { created: created.toISOString() }),
    ...(lastModified && isOrdered && { lastModified: lastModified.toISOString() }),
  };
}

function dateOf(name: string, value: unknown, notes: string[]): Date | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const date = read(value);
  if (date !== undefined && date.getTime() >= 0 && date.getTime() <= Date.now()) return date;
  notes.push(`${name} is no date from 1970 until today; left out`);
  return undefined;
}

/** Whether the text is a moment, in a form of {@link SourceDates}. */
export function isMoment(text: string): boolean {
  return read(text) !== undefined;
}

/** Whether the text is a moment, in a form of {@link SourceDates}, that has passed. */
export function hasPassed(text: string): boolean {
  const moment = read(text);
  return moment !== undefined && moment.getTime() <= Date.now();
}

/** A number of seconds has at most 11 digits until the year 5138. A larger number counts milliseconds. */
const mostSeconds = 99_999_999_999;

/** As databases write dates: with a space, a short zone, or without time or zone. They are in UTC then. */
const ofDatabase =
  /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(UTC|Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** An offset with hours and minutes. */
function wholeZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

function read(value: unknown): Date | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const number =
    typeof value === 'number' ? value : /^\d{9,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) {
    const date = new Date(number > mostSeconds ? number : number * 1000);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  const [, date, time = '00:00:00', zone = 'Z'] = ofDatabase.exec(text) ?? [];
  if (date !== undefined) return parseDateTime(`${date}T${time}${wholeZone(zone)}`);
  const generalized = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(text);
  if (generalized === null) return parseDateTime(text);
  const [, year, month, day, hour, minute, second] = generalized;
  return parseDateTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
