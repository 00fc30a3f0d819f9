import { foldCase } from '#src/directory/index.js';
import type { Refusals } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, requireJsonObject } from '../protocol/json.js';
import {
  type ComplexValue,
  isComplete,
  readSimpleValues,
  readSingle,
  requireFewValues,
} from '../resources/read-value.js';
import type { ScimResource } from '../resources/scim-resource.js';
import { type Attribute, isWritten } from '../schema/attribute.js';
import { changeValues } from './change-values.js';
import type { PatchOperation, PatchPath } from './operation.js';
import { meansRemoval, simpleValue, soleValue } from './patch-value.js';
import { PatchWork } from './patch-work.js';

/**
 * Applies all operations to a copy of the resource (RFC 7644 section 3.5.2), so that a failing operation changes nothing.
 * A removed attribute that is never returned, such as the password, is null in the result.
 * @param refusals gets what is wrong with the values of each operation, which the result then lacks
 * @throws AppError with scimType noTarget, invalidSyntax, invalidValue or tooMany
 */
export function applyPatch(
  resource: ScimResource,
  operations: readonly PatchOperation[],
  refusals: Refusals,
): ScimResource {
  const copy = structuredClone(resource);
  const work = new PatchWork();
  for (const operation of operations) {
    try {
      applyOperation(copy, operation, work);
    } catch (error) {
      refusals.add(inPlace(error, operation.path));
    }
  }
  const changed = new Set(operations.map(({ path }) => path.attribute));
  for (const attribute of changed) refusals.try(() => requireCompleteValues(attribute, copy));
  return copy;
}

/** The error of an operation, with the whole name of the attribute that it is about. */
function inPlace(error: unknown, { attribute, sub, part }: PatchPath): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const { name } = attribute;
  const prefix = `${name}${name.startsWith('urn:') ? ':' : '.'}${part === undefined ? '' : `${sub?.name}.`}`;
  const violations = error.violations.map((violation) => {
    const [place = ''] = violation.path;
    return place.startsWith(name) ? violation : { ...violation, path: [`${prefix}${place}`] };
  });
  return new AppError(error.definition, { detail: error.message, violations });
}

function applyOperation(resource: ScimResource, operation: PatchOperation, work: PatchWork): void {
  const { attribute } = operation.path;
  const current = resource[attribute.name];
  const changed = attribute.multiValued
    ? changeValues((current ?? []) as ComplexValue[], operation, work)
    : changeSingle(current, operation, work);
  if (changed === undefined && attribute.staysWhenUnassigned) return;
  if (changed !== undefined) resource[attribute.name] = changed;
  else if (attribute.returned === 'never') resource[attribute.name] = null;
  else delete resource[attribute.name];
}

function changeSingle(current: unknown, { op, path, value }: PatchOperation, work: PatchWork): unknown {
  const { attribute, sub, part } = path;
  if (attribute.type !== 'complex') {
    return op === 'remove' ? undefined : readSingle(attribute, simpleValue(value), attribute.name);
  }
  if (sub === undefined && (op === 'remove' || meansRemoval(value))) return undefined;
  const parts: ComplexValue = isJsonObject(current) ? current : {};
  const given = op === 'remove' ? undefined : value;
  if (sub !== undefined && part !== undefined)
    changeInner(parts, sub, (inner) => setPart(inner, part, { op, value: given, work }));
  else if (sub !== undefined) setPart(parts, sub, { op, value: sub.multiValued ? value : given, work });
  else mergeParts(parts, attribute, { op, value, work });
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Sub-attributes that the value does not name stay, also with `replace` (RFC 7644 section 3.5.2.3). */
function mergeParts(parts: ComplexValue, attribute: Attribute, change: PartChange): void {
  const members = membersOf(requireJsonObject(soleValue(change.value), attribute.name));
  for (const sub of attribute.subAttributes ?? []) {
    const name = sub.name.toLowerCase();
    if (!isWritten(sub) || !members.has(name)) continue;
    setPart(parts, sub, { ...change, value: members.get(name) });
  }
}

type PartChange = Pick<PatchOperation, 'op' | 'value'> & { readonly work: PatchWork };

/** Changes a list of texts, whose letter case does not matter. A removal without a value, or with `null` or `""`, empties it. */
function changeTexts(parts: ComplexValue, sub: Attribute, { op, value, work }: PartChange): void {
  const key = (text: unknown) => work.fold(foldCase, String(text));
  const current = (parts[sub.name] ?? []) as unknown[];
  const given = readSimpleValues(sub, value, sub.name) ?? [];
  const named = new Set(given.map(key));
  const others = current.filter((text) => !named.has(key(text)));
  const isWhole = op === 'remove' && (value === undefined || value === null || value === '');
  const texts = isWhole ? [] : op === 'remove' ? others : op === 'add' ? [...others, ...given] : given;
  requireFewValues(sub, texts.length);
  if (texts.length === 0) delete parts[sub.name];
  else parts[sub.name] = texts;
}

function setPart(parts: ComplexValue, sub: Attribute, change: PartChange): void {
  if (sub.multiValued) {
    changeTexts(parts, sub, change);
    return;
  }
  const sole = simpleValue(change.value);
  if (sub.type === 'complex' && isJsonObject(sole)) {
    changeInner(parts, sub, (inner) => mergeParts(inner, sub, { ...change, value: sole }));
    return;
  }
  const part = readSingle(sub, sole, sub.name);
  if (part === undefined) delete parts[sub.name];
  else parts[sub.name] = part;
}

/** Changes the parts of a complex sub-attribute, such as `manager`. It is removed if none is left. */
function changeInner(parts: ComplexValue, { name }: Attribute, change: (inner: ComplexValue) => void): void {
  const current = parts[name];
  const inner: ComplexValue = isJsonObject(current) ? current : {};
  change(inner);
  if (Object.keys(inner).length > 0) parts[name] = inner;
  else delete parts[name];
}

/** A value that a path such as `emails[type eq "work"].primary` created must have its required parts in the end. */
function requireCompleteValues(attribute: Attribute, resource: ScimResource): void {
  const values = resource[attribute.name];
  if (!Array.isArray(values) || values.every((value) => isComplete(attribute, value))) return;
  throw new AppError(scimErrors.noTarget, { detail: `No value of ${attribute.name} matches` });
}
