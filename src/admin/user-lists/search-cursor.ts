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

/** @throws AppError `directory.valueInvalid` for a text that is no cursor */
export function decodeSearchCursor(text: string): SearchPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // It is refused below.
  }
  if (!Check(cursor, parts))
    throw new AppError(directoryErrors.valueInvalid, { detail: 'after is not the next of a page' });
  const [step, value, id] = parts;
  return value === undefined || id === undefined ? { step } : { step, after: { value, id } };
}
