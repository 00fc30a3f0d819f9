import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { type ComplexValue, isComplete } from '../resources/read-value.js';
import { subAttributeOf } from '../schema/attribute.js';
import type { PatchPath } from './operation.js';
import type { PatchWork } from './patch-work.js';

/** The values of an attribute that a path selects. Without a filter, all values. */
export interface Selection {
  readonly values: ComplexValue[];
  readonly selected: ReadonlySet<ComplexValue>;
  readonly path: PatchPath;
}

export function selectValues(values: ComplexValue[], path: PatchPath, work: PatchWork): Selection {
  const { selector } = path;
  const selected = values.filter((value) => selector?.matches(value, work) ?? true);
  return { values, selected: new Set(selected), path };
}

/** Removes the selected values. */
export function withoutSelected({ values, selected }: Selection): ComplexValue[] {
  return values.filter((value) => !selected.has(value));
}

/** Sets parts of the selected values. Creates a value if none is selected. */
export function withPart({ values, selected, path }: Selection, parts: ComplexValue): ComplexValue[] {
  if (selected.size === 0) return [...values, newValue(path, parts)];
  for (const value of selected) Object.assign(value, parts);
  return values;
}

/**
 * Removes parts from the selected values. A value that requires one of them is removed as a whole.
 * @param names in any letter case; unknown ones are ignored
 */
export function withoutParts(
  { values, selected, path }: Selection,
  names: readonly string[],
): ComplexValue[] {
  const parts = names.flatMap((name) => subAttributeOf(path.attribute, name) ?? []);
  for (const value of selected) for (const { name } of parts) delete value[name];
  return values.filter(
    (value) => !selected.has(value) || (isComplete(path.attribute, value) && Object.keys(value).length > 0),
  );
}

/**
 * Replaces the selected values by one value (RFC 7644 section 3.5.2.3). The new value still matches the filter: replacing
 * `emails[type eq "work"]` leaves an address of the type "work".
 */
export function replaceSelected({ values, selected, path }: Selection, given: ComplexValue): ComplexValue[] {
  const [first] = selected;
  if (first === undefined) return [...values, newValue(path, given)];
  const replacement = { ...path.selector?.seed, ...given };
  return values
    .filter((value) => value === first || !selected.has(value))
    .map((value) => (value === first ? replacement : value));
}

/** @throws AppError `scim.noTarget` if the filter does not determine a matching value */
function newValue({ attribute, selector }: PatchPath, parts: ComplexValue): ComplexValue {
  if (selector === undefined) return { ...parts };
  if (selector.seed !== undefined) return { ...selector.seed, ...parts };
  throw new AppError(scimErrors.noTarget, { detail: `No value of ${attribute.name} matches the filter` });
}
