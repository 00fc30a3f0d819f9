import { foldCase, reverse, typedKey } from '#src/directory/users/search-keys.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { AttributePath } from '../schema/resource-schema.js';
import type { SearchRule } from '../schema/search-rule.js';
import { type Comparison, conjuncts, type Filter } from './ast.js';
import { compileComparison, requireTextLiteral, searchText, unsupported } from './compile-comparison.js';
import { elementCondition } from './element-condition.js';
import { escapePattern, type FilterQuery, startsWith } from './text-query.js';

/**
 * Compiles a value path: one value of the list matches the whole filter (RFC 7644 section 3.4.2.2). An index serves the
 * usual form, a type and one condition on the value. In any other form MongoDB tests each value.
 */
export function compileElement(filter: Filter, path: AttributePath | undefined, name: string): FilterQuery {
  const attribute = path?.sub === undefined ? path?.attribute : undefined;
  if (attribute?.subAttributes === undefined || !attribute.multiValued)
    throw unsupported({ name }, 'cannot be filtered in brackets');
  const rule = subAttributeOf(attribute, 'value')?.search;
  if (rule?.isRelation) return compileRelation(filter, attribute, rule);
  const condition = elementCondition(filter, attribute, rule);
  return (rule && byTypeAndValue(filter, rule)) ?? { [attribute.name]: { $elemMatch: condition } };
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

/** The condition on keys that join type and value. Undefined if the filter has another form. */
function byTypeAndValue(filter: Filter, { byType, fold }: SearchRule): FilterQuery | undefined {
  const [type, test, ...more] = typeFirst(conjuncts(filter));
  if (byType === undefined || !isTypeEquality(type) || more.length > 0) return undefined;
  const prefix = typedKey(foldCase(requireTextLiteral(type)), '');
  if (test === undefined) return startsWith(byType.field, prefix, true);
  if (test.kind !== 'compare' || test.name.toLowerCase() !== 'value') return undefined;
  switch (test.operator) {
    case 'eq':
      return { [byType.field]: prefix + fold(requireTextLiteral(test)) };
    case 'sw':
      return startsWith(byType.field, prefix + searchText(test, fold), true);
    case 'ew':
      return startsWith(byType.reversed, prefix + reverse(searchText(test, fold)), true);
    case 'co':
      return {
        [byType.field]: {
          $regex: `^${escapePattern(prefix)}[\\s\\S]*${escapePattern(searchText(test, fold))}`,
        },
      };
    default:
      return undefined;
  }
}

function typeFirst(conditions: readonly Filter[]): Filter[] {
  return [...conditions].sort((a, b) => Number(isTypeEquality(b)) - Number(isTypeEquality(a)));
}

function isTypeEquality(filter: Filter | undefined): filter is Comparison {
  return filter?.kind === 'compare' && filter.operator === 'eq' && filter.name.toLowerCase() === 'type';
}
