import type { LeafCondition, ResourceQuery } from '#src/people/queries/index.js';
import { subAttributeOf } from '../schema/attribute.js';
import { type AttributePath, isNaming } from '../schema/resource-schema.js';
import type { SearchRule } from '../schema/search-rule.js';
import { type AttributeExpression, conjuncts, type Filter } from './ast.js';
import { compileComparison, unsupported } from './compile-comparison.js';
import { compileRelated, relationOf } from './compile-relation.js';
import { elementCondition } from './element-condition.js';

/** Compiles a value path: one value of the list matches the whole filter (RFC 7644 section 3.4.2.2). */
export function compileElement(filter: Filter, path: AttributePath | undefined, name: string): ResourceQuery {
  const attribute = path?.sub === undefined ? path?.attribute : undefined;
  if (path === undefined || attribute?.subAttributes === undefined || !attribute.multiValued)
    throw unsupported({ name }, 'cannot be filtered in brackets');
  const related = relationOf(attribute, name);
  if (related !== undefined) return compileRelated(filter, related);
  const rule = subAttributeOf(attribute, 'value')?.search;
  return {
    kind: 'element',
    field: attribute.name,
    name,
    where: elementCondition(filter, attribute, rule),
    keys: rule === undefined ? [] : keyConditions(filter, rule, isNaming(path)),
  };
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

/** Whether the filter compares the value of an element. */
function isValueComparison(filter: Filter): filter is AttributeExpression {
  return filter.kind === 'compare' && filter.name.toLowerCase() === 'value';
}
