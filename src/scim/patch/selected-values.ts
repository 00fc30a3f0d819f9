import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { type ComplexValue, isComplete } from '../resources/read-value.js';
import type { PatchPath } from './operation.js';

/** The values that the filter of the path selects. Without a filter, all values. */
export function selectedValues(values: readonly ComplexValue[], { selector }: PatchPath): ComplexValue[] {
  return values.filter((value) => selector?.matches(value) ?? true);
}

/** Sets parts of the selected values. Creates a value if none is selected. */
export function withPart(values: ComplexValue[], path: PatchPath, parts: ComplexValue): ComplexValue[] {
  const selected = selectedValues(values, path);
  if (selected.length === 0) return [...values, newValue(path, parts)];
  for (const value of selected) Object.assign(value, parts);
  return values;
}

/** Removes a part from the selected values. A value that requires this part is removed as a whole. */
export function withoutPart(values: ComplexValue[], path: PatchPath, part: string): ComplexValue[] {
  const selected = new Set(selectedValues(values, path));
  for (const value of selected) delete value[part];
  return values.filter(
    (value) => !selected.has(value) || (isComplete(path.attribute, value) && Object.keys(value).length > 0),
  );
}

/**
 * Replaces the selected values by one value (RFC 7644 section 3.5.2.3). The new value still matches the filter: replacing
 * `emails[type eq "work"]` leaves an address of the type "work".
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

/** @throws AppError `scim.noTarget` if the filter does not determine a matching value */
function newValue({ attribute, selector }: PatchPath, parts: ComplexValue): ComplexValue {
  if (selector === undefined) return { ...parts };
  if (selector.seed !== undefined) return { ...selector.seed, ...parts };
  throw new AppError(scimErrors.noTarget, { detail: `No value of ${attribute.name} matches the filter` });
}
