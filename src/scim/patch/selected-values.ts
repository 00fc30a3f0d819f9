import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { type ComplexValue, isComplete } from '../resources/read-value.js';
import type { PatchPath } from './operation.js';

/** The values that the path's filter selects; all without a filter. */
export function selectedValues(values: readonly ComplexValue[], { selector }: PatchPath): ComplexValue[] {
  return values.filter((value) => selector?.matches(value) ?? true);
}

/** Gives the selected values some parts; makes a value when none is selected. */
export function withPart(values: ComplexValue[], path: PatchPath, parts: ComplexValue): ComplexValue[] {
  const selected = selectedValues(values, path);
  if (selected.length === 0) return [...values, newValue(path, parts)];
  for (const value of selected) Object.assign(value, parts);
  return values;
}

/** Takes a part from the selected values; a value that cannot be without it goes altogether. */
export function withoutPart(values: ComplexValue[], path: PatchPath, part: string): ComplexValue[] {
  const selected = new Set(selectedValues(values, path));
  for (const value of selected) delete value[part];
  return values.filter(
    (value) => !selected.has(value) || (isComplete(path.attribute, value) && Object.keys(value).length > 0),
  );
}

/**
 * Puts one value in the place of those selected (RFC 7644 section 3.5.2.3). It keeps what the filter says, so that
 * replacing `emails[type eq "work"]` leaves an address for work.
 */
export function replaceSelected(
  values: ComplexValue[],
  path: PatchPath,
  given: ComplexValue,
): ComplexValue[] {
  const [first, ...others] = selectedValues(values, path);
  if (first === undefined) return [...values, newValue(path, given)];
  const replacement = { ...path.selector?.seed, ...given };
  const gone = new Set(others);
  return values.filter((value) => !gone.has(value)).map((value) => (value === first ? replacement : value));
}

/** @throws AppError `scim.noTarget` when the filter does not tell what a value that matches looks like */
function newValue({ attribute, selector }: PatchPath, parts: ComplexValue): ComplexValue {
  if (selector === undefined) return { ...parts };
  if (selector.seed !== undefined) return { ...selector.seed, ...parts };
  throw new AppError(scimErrors.noTarget, { detail: `No value of ${attribute.name} matches the filter` });
}
