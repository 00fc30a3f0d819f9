import { parseDateTime } from '#src/platform/date-time.js';
import { RecordFailure } from '../section/record-failure.js';

/**
 * Reads a text of the form that `moment` of the format has.
 * @param name of the value, for the error
 * @throws RecordFailure for a day or a time that does not exist
 */
export function readMoment(name: string, text: string): Date {
  const date = parseDateTime(text);
  if (date === undefined) throw new RecordFailure('VALUE-INVALID', `${name} is not a moment`);
  return date;
}
