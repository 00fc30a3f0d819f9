import { foldCase } from '#src/directory/index.js';
import type { LeafCondition, ResourceQuery } from '#src/people/queries/index.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import { type AttributePath, isNaming } from '../schema/resource-schema.js';
import type { SearchRule } from '../schema/search-rule.js';
import { type AttributeExpression, conjuncts, type Filter } from './ast.js';
import { compileComparison, unsupported } from './compile-comparison.js';
import { elementCondition } from './element-condition.js';

/** Compiles a value path: one value of the list matches the whole filter (RFC 7644 section 3.4.2.2). */
export function compileElement(filter: Filter, path: AttributePath | undefined, name: string): ResourceQuery {
  const attribute = path?.sub === undefined ? path?.attribute : undefined;
  if (path === undefined || attribute?.subAttributes === undefined || !attribute.multiValued)
    throw unsupported({ name }, 'cannot be filtered in brackets');
  const rule = subAttributeOf(attribute, 'value')?.search;
  if (rule?.relation !== undefined) return compileRelation(filter, { attribute, rule, name });
  return {
    kind: 'element',
    field: attribute.name,
    name,
    where: elementCondition(filter, attribute, rule),
    keys: rule === undefined ? [] : keyConditions(filter, rule, isNaming(path)),
  };
}

/** `members[value eq "a"]` means `members.value eq "a"`. All related resources have the same type, so a test of it is left out. */
function compileRelation(
  filter: Filter,
  related: { readonly attribute: Attribute; readonly rule: SearchRule; readonly name: string },
): ResourceQuery {
  const { attribute, rule, name } = related;
  if (filter.kind === 'or')
    return { kind: 'or', operands: filter.operands.map((operand) => compileRelation(operand, related)) };
  const all = conjuncts(filter);
  const [type] = subAttributeOf(attribute, 'type')?.canonicalValues ?? [];
  const [test, ...others] = all.filter(
    (one) => !(isTypeEquality(one) && foldCase(String(one.literal)) === foldCase(type ?? '')),
  );
  if (
    test?.kind !== 'compare' ||
    test.operator !== 'eq' ||
    others.length > 0 ||
    test.name.toLowerCase() !== 'value'
  )
    throw unsupported({ name: attribute.name }, 'is filtered by the identifier, such as [value eq "..."]');
  const condition = compileComparison(test, { type: 'string', rule, isList: true, isNaming: false });
  return { ...condition, written: { name, operator: 'eq', inner: all.filter(isComparison) } };
}

/** The conditions on the value. Together they find each user whom the whole filter finds, and maybe others. */
function keyConditions(filter: Filter, rule: SearchRule, isNaming: boolean): LeafCondition[] {
  const keys: LeafCondition[] = [];
  for (const one of conjuncts(filter)) {
    const isKey = isValueComparison(one) && one.operator !== 'ne' && rule.operators.includes(one.operator);
    if (isKey) keys.push(compileComparison(one, { type: 'string', rule, isList: true, isNaming }));
  }
  return keys;
}

function isComparison(filter: Filter): filter is AttributeExpression {
  return filter.kind === 'compare';
}

/** Whether the filter compares the value of an element. */
function isValueComparison(filter: Filter): filter is AttributeExpression {
  return isComparison(filter) && filter.name.toLowerCase() === 'value';
}

function isTypeEquality(filter: Filter): filter is AttributeExpression {
  return isComparison(filter) && filter.operator === 'eq' && filter.name.toLowerCase() === 'type';
}
