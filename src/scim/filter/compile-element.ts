import { foldCase } from '#src/directory/index.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { AttributePath } from '../schema/resource-schema.js';
import type { SearchRule } from '../schema/search-rule.js';
import { type AttributeExpression, conjuncts, type Filter } from './ast.js';
import { compileComparison, unsupported } from './compile-comparison.js';
import { elementCondition } from './element-condition.js';
import type { FilterQuery } from './text-query.js';

/**
 * Compiles a value path: one value of the list matches the whole filter (RFC 7644 section 3.4.2.2). An index serves a condition on
 * the value, and MongoDB tests the values of those users.
 */
export function compileElement(filter: Filter, path: AttributePath | undefined, name: string): FilterQuery {
  const attribute = path?.sub === undefined ? path?.attribute : undefined;
  if (attribute?.subAttributes === undefined || !attribute.multiValued)
    throw unsupported({ name }, 'cannot be filtered in brackets');
  const rule = subAttributeOf(attribute, 'value')?.search;
  if (rule?.isRelation) return compileRelation(filter, attribute, rule);
  const element = { [attribute.name]: { $elemMatch: elementCondition(filter, attribute, rule) } };
  const test = rule && servedTest(filter, rule);
  return test === undefined ? element : { $and: [test, element] };
}

/** `members[value eq "a"]` means `members.value eq "a"`. All related resources have the same type, so a test of it is left out. */
function compileRelation(filter: Filter, attribute: Attribute, rule: SearchRule): FilterQuery {
  if (filter.kind === 'or') {
    return { $or: filter.operands.map((operand) => compileRelation(operand, attribute, rule)) };
  }
  const [type] = subAttributeOf(attribute, 'type')?.canonicalValues ?? [];
  const [test, ...others] = conjuncts(filter).filter(
    (one) => !(isTypeEquality(one) && foldCase(String(one.literal)) === foldCase(type ?? '')),
  );
  if (
    test?.kind !== 'compare' ||
    test.operator !== 'eq' ||
    others.length > 0 ||
    test.name.toLowerCase() !== 'value'
  )
    throw unsupported({ name: attribute.name }, 'is filtered by the identifier, such as [value eq "..."]');
  return compileComparison(test, { type: 'string', rule, many: true });
}

/** The condition on the value that an index serves. It finds each user whom the whole filter finds, and maybe others. */
function servedTest(filter: Filter, rule: SearchRule): FilterQuery | undefined {
  const test = conjuncts(filter).find(
    (one): one is AttributeExpression => isValueComparison(one) && rule.served.includes(one.operator),
  );
  return test && compileComparison(test, { type: 'string', rule, many: true });
}

/** Whether the filter compares the value of an element. */
export function isValueComparison(filter: Filter): filter is AttributeExpression {
  return filter.kind === 'compare' && filter.name.toLowerCase() === 'value';
}

function isTypeEquality(filter: Filter): filter is AttributeExpression {
  return filter.kind === 'compare' && filter.operator === 'eq' && filter.name.toLowerCase() === 'type';
}
