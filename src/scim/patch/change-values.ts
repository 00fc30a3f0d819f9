import { isJsonObject } from '#src/platform/json/json-object.js';
import { type ComplexValue, readSingle, requireFewValues } from '../resources/read-value.js';
import type { PatchOperation } from './operation.js';
import { meansRemoval, namesNothing, simpleValue, soleValue } from './patch-value.js';
import type { PatchWork } from './patch-work.js';
import { replaceSelected, selectValues, withoutParts, withoutSelected, withPart } from './selected-values.js';
import { addValues, readList, withoutListed } from './whole-list.js';

/**
 * Applies one operation to the values of a multi-valued attribute, and changes them in place. If a value becomes primary,
 * the others stop being primary (RFC 7644 section 3.5.2).
 * @returns the values afterwards; undefined if none is left
 */
export function changeValues(
  values: ComplexValue[],
  operation: PatchOperation,
  work: PatchWork,
): ComplexValue[] | undefined {
  work.spend(values.length);
  const wasPrimary = new Set(values.filter(isPrimary));
  const changed = change(values, operation, work);
  requireFewValues(operation.path.attribute, changed.length);
  const promoted = changed.find((value) => isPrimary(value) && !wasPrimary.has(value));
  for (const value of changed) {
    if (promoted !== undefined && value !== promoted && isPrimary(value)) value['primary'] = false;
  }
  return changed.length === 0 ? undefined : changed;
}

function change(values: ComplexValue[], operation: PatchOperation, work: PatchWork): ComplexValue[] {
  if (operation.path.sub !== undefined) return changePart(values, operation, work);
  return operation.path.selector === undefined
    ? changeList(values, operation, work)
    : changeSelected(values, operation, work);
}

/** `emails` */
function changeList(
  values: ComplexValue[],
  { op, path: { attribute }, value }: PatchOperation,
  work: PatchWork,
): ComplexValue[] {
  if (op === 'remove') return withoutListed(values, { attribute, listed: value }, work);
  const given = readList(attribute, value, work);
  if (given.length === 0 && namesNothing(attribute, value)) return values;
  return op === 'replace' ? given : addValues(values, { attribute, added: given }, work);
}

/** `emails[type eq "work"]` */
function changeSelected(
  values: ComplexValue[],
  { op, path, value }: PatchOperation,
  work: PatchWork,
): ComplexValue[] {
  // The same as for the whole list: nothing is added.
  if (op === 'add' && Array.isArray(value) && value.length === 0) return values;
  const sole = soleValue(value);
  const isGiven = op !== 'remove' && !meansRemoval(value);
  const given = isGiven ? readSingle(path.attribute, sole, path.attribute.name) : undefined;
  if (isGiven && given === undefined && namesNothing(path.attribute, sole)) return values;
  const selection = selectValues(values, path, work);
  if (given === undefined) {
    return op === 'add' && isJsonObject(sole)
      ? withoutParts(selection, Object.keys(sole))
      : withoutSelected(selection);
  }
  return op === 'add'
    ? withPart(selection, given as ComplexValue)
    : replaceSelected(selection, given as ComplexValue);
}

/** `emails[type eq "work"].value`, or `emails.value` of every e-mail address */
function changePart(
  values: ComplexValue[],
  { op, path, value }: PatchOperation,
  work: PatchWork,
): ComplexValue[] {
  const { attribute, sub } = path;
  if (sub === undefined) return values;
  const part =
    op === 'remove' ? undefined : readSingle(sub, simpleValue(value), `${attribute.name}.${sub.name}`);
  const selection = selectValues(values, path, work);
  return part === undefined ? withoutParts(selection, [sub.name]) : withPart(selection, { [sub.name]: part });
}

function isPrimary(value: ComplexValue): boolean {
  return value['primary'] === true;
}
