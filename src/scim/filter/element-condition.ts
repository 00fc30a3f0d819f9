import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { SearchRule } from '../schema/search-rule.js';
import type { AttributeExpression, Filter } from './ast.js';
import {
  partTexts,
  requireBooleanLiteral,
  requireMoment,
  requireNumberLiteral,
  requireTextLiteral,
  unsupported,
} from './compile-comparison.js';
import { end, escapePattern, type FilterQuery } from './text-query.js';

/** How a literal becomes the form of stored values. */
type Folding = Pick<SearchRule, 'fold' | 'foldWhole' | 'foldPart'>;

const asWritten: Folding = { fold: (literal) => literal };

/**
 * A condition on one stored value of a multi-valued attribute. Its sub-attributes have no folded twins, so the regular
 * expression ignores letter case.
 * @param folding turns a literal into the stored form of `value`
 */
export function elementCondition(
  filter: Filter,
  attribute: Attribute,
  folding: Folding = asWritten,
): FilterQuery {
  const compile = (inner: Filter): FilterQuery => elementCondition(inner, attribute, folding);
  switch (filter.kind) {
    case 'and':
      return { $and: filter.operands.map(compile) };
    case 'or':
      return { $or: filter.operands.map(compile) };
    case 'not':
      return { $nor: [compile(filter.operand)] };
    case 'element':
      throw unsupported(filter, 'cannot be filtered in brackets');
    case 'present':
      return { [searchableSub(filter.name, attribute).name]: { $exists: true } };
    case 'compare':
      return comparisonCondition(filter, searchableSub(filter.name, attribute), folding);
  }
}

function searchableSub(name: string, attribute: Attribute): Attribute {
  const sub = subAttributeOf(attribute, name);
  if (sub === undefined) throw unsupported({ name }, `is no sub-attribute of ${attribute.name}`);
  return sub;
}

function comparisonCondition(comparison: AttributeExpression, sub: Attribute, folding: Folding): FilterQuery {
  const own = sub.name === 'value' ? folding : asWritten;
  return storedCondition(comparison, sub, { field: sub.name, folding: own });
}

/**
 * A condition on a stored value that has no folded twin. On a list it means that some value matches, and for `ne` that no
 * value is equal.
 * @param stored the field, and how a literal becomes the stored form
 */
export function storedCondition(
  comparison: AttributeExpression,
  attribute: Attribute,
  stored: { readonly field: string; readonly folding?: Folding },
): FilterQuery {
  const { operator } = comparison;
  const { field, folding = asWritten } = stored;
  if (operator === 'ne')
    return { $nor: [storedCondition({ ...comparison, operator: 'eq' }, attribute, stored)] };
  if (attribute.type === 'boolean') {
    if (operator !== 'eq') throw unsupported(comparison, `does not support ${operator}`);
    return { [field]: requireBooleanLiteral(comparison) };
  }
  if (attribute.type === 'integer' || attribute.type === 'decimal')
    return ordered(comparison, field, requireNumberLiteral(comparison));
  if (attribute.type === 'dateTime')
    return ordered(comparison, field, requireMoment(comparison).toISOString());
  return {
    [field]: { $regex: pattern(comparison, folding), ...(!attribute.caseExact && { $options: 'i' }) },
  };
}

/** A condition on a value that has an order. */
function ordered(comparison: AttributeExpression, field: string, literal: number | string): FilterQuery {
  const { operator } = comparison;
  if (operator === 'eq') return { [field]: literal };
  const name = orders[operator];
  if (name === undefined) throw unsupported(comparison, `does not support ${operator}`);
  return { [field]: { [name]: literal } };
}

const orders: { readonly [Operator in AttributeExpression['operator']]?: string } = {
  gt: '$gt',
  ge: '$gte',
  lt: '$lt',
  le: '$lte',
};

function pattern(comparison: AttributeExpression, folding: Folding): string {
  const part = () => anyOf(partTexts(comparison, folding).map(escapePattern));
  switch (comparison.operator) {
    case 'eq':
      return `^${escapePattern((folding.foldWhole ?? folding.fold)(requireTextLiteral(comparison)))}${end}`;
    case 'co':
      return part();
    case 'sw':
      return `^${part()}`;
    case 'ew':
      return `${part()}${end}`;
    default:
      throw unsupported(comparison, `does not support ${comparison.operator}`);
  }
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? patterns.join('') : `(?:${patterns.join('|')})`;
}
