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
function inPlace(error: unknown, { attribute, sub, leaf }: PatchPath): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const { name } = attribute;
  const prefix = `${name}${name.startsWith('urn:') ? ':' : '.'}${leaf === undefined ? '' : `${sub?.name}.`}`;
  const violations = error.violations.map((violation) => {
    const [first = ''] = violation.path;
    return first.startsWith(name) ? violation : { ...violation, path: [`${prefix}${first}`] };
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
  const { attribute, sub, leaf } = path;
  if (attribute.type !== 'complex') {
    return op === 'remove' ? undefined : readSingle(attribute, simpleValue(value), attribute.name);
  }
  if (sub === undefined && (op === 'remove' || meansRemoval(value))) return undefined;
  const members: ComplexValue = isJsonObject(current) ? current : {};
  const given = op === 'remove' ? undefined : value;
  if (sub !== undefined && leaf !== undefined)
    changeInner(members, sub, (inner) => setSub(inner, leaf, { op, value: given, work }));
  else if (sub !== undefined) setSub(members, sub, { op, value: sub.multiValued ? value : given, work });
  else mergeSubs(members, attribute, { op, value, work });
  return Object.keys(members).length === 0 ? undefined : members;
}

/** Sub-attributes that the value does not name stay, also with `replace` (RFC 7644 section 3.5.2.3). */
function mergeSubs(target: ComplexValue, attribute: Attribute, change: SubChange): void {
  const members = membersOf(requireJsonObject(soleValue(change.value), attribute.name));
  for (const sub of attribute.subAttributes ?? []) {
    const name = sub.name.toLowerCase();
    if (!isWritten(sub) || !members.has(name)) continue;
    setSub(target, sub, { ...change, value: members.get(name) });
  }
}

type SubChange = Pick<PatchOperation, 'op' | 'value'> & { readonly work: PatchWork };

/** Changes a list of texts, whose letter case does not matter. A removal without a value, or with `null` or `""`, empties it. */
function changeTexts(members: ComplexValue, sub: Attribute, { op, value, work }: SubChange): void {
  const key = (text: unknown) => work.fold(foldCase, String(text));
  const current = (members[sub.name] ?? []) as unknown[];
  const given = readSimpleValues(sub, value, sub.name) ?? [];
  const named = new Set(given.map(key));
  const others = current.filter((text) => !named.has(key(text)));
  const isWhole = op === 'remove' && (value === undefined || value === null || value === '');
  const texts = isWhole ? [] : op === 'remove' ? others : op === 'add' ? [...others, ...given] : given;
  requireFewValues(sub, texts.length);
  if (texts.length === 0) delete members[sub.name];
  else members[sub.name] = texts;
}

function setSub(members: ComplexValue, sub: Attribute, change: SubChange): void {
  if (sub.multiValued) {
    changeTexts(members, sub, change);
    return;
  }
  const sole = simpleValue(change.value);
  if (sub.type === 'complex' && isJsonObject(sole)) {
    changeInner(members, sub, (inner) => mergeSubs(inner, sub, { ...change, value: sole }));
    return;
  }
  const value = readSingle(sub, sole, sub.name);
  if (value === undefined) delete members[sub.name];
  else members[sub.name] = value;
}

/** Changes the parts of a complex sub-attribute, such as `manager`. It is removed if none is left. */
function changeInner(
  members: ComplexValue,
  { name }: Attribute,
  change: (inner: ComplexValue) => void,
): void {
  const current = members[name];
  const inner: ComplexValue = isJsonObject(current) ? current : {};
  change(inner);
  if (Object.keys(inner).length > 0) members[name] = inner;
  else delete members[name];
}

/** A value that a path such as `emails[type eq "work"].primary` created must have its required parts in the end. */
function requireCompleteValues(attribute: Attribute, resource: ScimResource): void {
  const values = resource[attribute.name];
  if (!Array.isArray(values) || values.every((value) => isComplete(attribute, value))) return;
  throw new AppError(scimErrors.noTarget, { detail: `No value of ${attribute.name} matches` });
}
