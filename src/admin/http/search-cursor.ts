import Type from 'typebox';
import { Check } from 'typebox/value';
import { directoryErrors } from '#src/directory/index.js';
import type { SearchPosition } from '#src/people/search-people/index.js';
import { AppError } from '#src/platform/errors.js';

/** The step, and the value and the identifier of the last user. A step that begins has neither. */
const cursor = Type.Union([
  Type.Tuple([Type.Integer({ minimum: 0, maximum: 20 })]),
  Type.Tuple([
    Type.Integer({ minimum: 0, maximum: 20 }),
    Type.Union([Type.String(), Type.Null()]),
    Type.String(),
  ]),
]);

/** The cursor of a search. It is no secret: every search is confined to the organization of its request. */
export function encodeSearchCursor({ step, after }: SearchPosition): string {
  const parts = after === undefined ? [step] : [step, after.value, after.id];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * @param isByTime whether the list is in the order of a time
 * @throws AppError `directory.valueInvalid` for a text that is no cursor of such a list
 */
export function decodeSearchCursor(text: string, isByTime = false): SearchPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // It is refused below.
  }
  if (!Check(cursor, parts)) throw notNext();
  const [step, value, id] = parts;
  if (value === undefined || id === undefined) return { step };
  if (!isByTime) return { step, after: { value, id } };
  const time = new Date(value ?? Number.NaN);
  if (Number.isNaN(time.getTime())) throw notNext();
  return { step, after: { value: time, id } };
}

function notNext(): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail: 'after is not the next of a page' });
}
