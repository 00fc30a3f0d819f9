import { parseDateTime } from '#src/platform/date-time.js';
import { RecordFailure } from '../section/record-failure.js';

/** The dates that a record gives to its object. */
export interface ImportedDates {
  readonly created: Date;
  readonly lastModified: Date;
}

/** The clocks of the source and of this process may differ by so much. */
const clockSkewMs = 60_000;

/**
 * Reads the dates of a record. A record without `created` was created at its last change. A record without `lastModified` was last
 * changed by the import.
 * @param now the time of the import
 * @throws RecordFailure `VALUE-INVALID` if a date is not RFC 3339, before 1970, in the future, or in the wrong order
 */
export function importedDates(
  given: { readonly created?: string | undefined; readonly lastModified?: string | undefined },
  now: Date,
): ImportedDates {
  const last = given.lastModified === undefined ? undefined : read('lastModified', given.lastModified, now);
  const first = given.created === undefined ? undefined : read('created', given.created, now);
  const lastModified = last ?? latest(first, now);
  const created = first ?? lastModified;
  if (created > lastModified) throw new RecordFailure('VALUE-INVALID', 'created is later than lastModified');
  return { created, lastModified };
}

/** Says when an object came, if its date of creation does not. */
export function importedAt({ created }: ImportedDates, now: Date): { imported?: Date } {
  return created.getTime() === now.getTime() ? {} : { imported: now };
}

/** Whether the record says that its object is older than the import. */
export function isDated({ created, lastModified }: ImportedDates, now: Date): boolean {
  return created < now || lastModified < now;
}

/** Those of the dates that the record states. The others are the time of the import. */
export function statedDates(
  { created, lastModified }: ImportedDates,
  now: Date,
): { readonly created?: Date; readonly lastModified?: Date } {
  return {
    ...(created.getTime() !== now.getTime() && { created }),
    ...(lastModified.getTime() !== now.getTime() && { lastModified }),
  };
}

/**
 * Names the dates that a record states and in which the stored object differs. A later `lastModified` of the record is no difference in
 * itself: many sources change it at each sign-in, and an update takes over no date alone.
 */
export function differingDates(
  stored: ImportedDates | undefined,
  given: ImportedDates | undefined,
  now: Date,
): ('created' | 'lastModified')[] {
  if (stored === undefined || given === undefined) return [];
  const { created, lastModified } = statedDates(given, now);
  const names: ('created' | 'lastModified')[] = [];
  if (created !== undefined && created.getTime() !== stored.created.getTime()) names.push('created');
  if (lastModified !== undefined && lastModified < stored.lastModified) names.push('lastModified');
  return names;
}

/** The later date. A digest has it for `lastModified` of a stored object: see {@link differingDates}. */
export function laterOf(stored: Date, given: Date): Date {
  return given > stored ? given : stored;
}

function latest(first: Date | undefined, now: Date): Date {
  return first !== undefined && first > now ? first : now;
}

function read(name: string, text: string, now: Date): Date {
  const date = parseDateTime(text);
  if (date === undefined)
    throw new RecordFailure('VALUE-INVALID', `${name} is not a date and time of RFC 3339`);
  if (date.getTime() < 0) throw new RecordFailure('VALUE-INVALID', `${name} is before 1970`);
  if (date.getTime() > now.getTime() + clockSkewMs) {
    throw new RecordFailure('VALUE-INVALID', `${name} is in the future`);
  }
  return date;
}
