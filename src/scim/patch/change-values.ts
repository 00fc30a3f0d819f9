import { type ComplexValue, readSingle, requireFewValues } from '../resources/read-value.js';
import type { PatchOperation } from './operation.js';
import { simpleValue, soleValue } from './patch-value.js';
import { replaceSelected, selectedValues, withoutPart, withPart } from './selected-values.js';
import { addValues, readList, withoutListed } from './whole-list.js';

/**
 * Applies one operation to the values of a multi-valued attribute, and changes them in place. If a value becomes primary,
 * the others stop being primary (RFC 7644 section 3.5.2).
 * @returns the values afterwards; undefined if none is left
 */
export function changeValues(values: ComplexValue[], operation: PatchOperation): ComplexValue[] | undefined {
  const wasPrimary = new Set(values.filter(isPrimary));
  const changed = change(values, operation);
  requireFewValues(operation.path.attribute, changed.length);
  const promoted = changed.find((value) => isPrimary(value) && !wasPrimary.has(value));
  for (const value of changed) {
    if (promoted !== undefined && value !== promoted && isPrimary(value)) value['primary'] = false;
  }
  return changed.length === 0 ? undefined : changed;
}

function change(values: ComplexValue[], operation: PatchOperation): ComplexValue[] {
  if (operation.path.sub !== undefined) return changePart(values, operation);
  return operation.path.selector === undefined
    ? changeList(values, operation)
    : changeSelected(values, operation);
}

/** `emails` */
function changeList(
  values: ComplexValue[],
  { op, path: { attribute }, value }: PatchOperation,
): ComplexValue[] {
  if (op === 'remove') return withoutListed(values, attribute, value);
  const given = readList(attribute, value);
  return op === 'replace' ? given : addValues(values, attribute, given);
}

/** `emails[type eq "work"]` */
function changeSelected(values: ComplexValue[], { op, path, value }: PatchOperation): ComplexValue[] {
  const given =
    op === 'remove' ? undefined : readSingle(path.attribute, soleValue(value), path.attribute.name);
  if (given === undefined) {
    const selected = new Set(selectedValues(values, path));
    return values.filter((candidate) => !selected.has(candidate));
  }
  return op === 'add'
    ? withPart(values, path, given as ComplexValue)
    : replaceSelected(values, path, given as ComplexValue);
}

/** `emails[type eq "work"].value`, or `emails.value` of every e-mail address */
function changePart(values: ComplexValue[], { op, path, value }: PatchOperation): ComplexValue[] {
  const { attribute, sub } = path;
  if (sub === undefined) return values;
  const part =
    op === 'remove' ? undefined : readSingle(sub, simpleValue(value), `${attribute.name}.${sub.name}`);
  return part === undefined
    ? withoutPart(values, path, sub.name)
    : withPart(values, path, { [sub.name]: part });
}

function isPrimary(value: ComplexValue): boolean {
  return value['primary'] === true;
}
