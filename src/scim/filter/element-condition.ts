import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { Comparison, Filter } from './ast.js';
import { requireBooleanLiteral, requireTextLiteral, searchText, unsupported } from './compile-comparison.js';
import { escapePattern, type FilterQuery } from './text-query.js';

type Fold = (literal: string) => string;

// The end of the text. `$` would also match before a line feed at the end.
const end = '(?![\\s\\S])';

/**
 * A condition on one stored value of a multi-valued attribute. Its sub-attributes have no folded twins, so the regular
 * expression ignores letter case.
 * @param foldValue turns a literal into the stored form of `value`
 */
export function elementCondition(filter: Filter, attribute: Attribute, foldValue: Fold): FilterQuery {
  const compile = (inner: Filter): FilterQuery => elementCondition(inner, attribute, foldValue);
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
      return comparisonCondition(filter, searchableSub(filter.name, attribute), foldValue);
  }
}

function searchableSub(name: string, attribute: Attribute): Attribute {
  const sub = subAttributeOf(attribute, name);
  if (sub === undefined) throw unsupported({ name }, `is no sub-attribute of ${attribute.name}`);
  return sub;
}

function comparisonCondition(comparison: Comparison, sub: Attribute, foldValue: Fold): FilterQuery {
  const fold: Fold = sub.name === 'value' ? foldValue : (literal) => literal;
  return storedCondition(comparison, sub, { field: sub.name, fold });
}

/**
 * A condition on a stored value that has no folded twin. On a list it means that some value matches, and for `ne` that no
 * value is equal.
 * @param stored the field, and how a literal becomes the stored form
 */
export function storedCondition(
  comparison: Comparison,
  attribute: Attribute,
  stored: { readonly field: string; readonly fold?: Fold },
): FilterQuery {
  const { operator } = comparison;
  const { field, fold = (literal: string) => literal } = stored;
  if (operator === 'ne')
    return { $nor: [storedCondition({ ...comparison, operator: 'eq' }, attribute, stored)] };
  if (attribute.type === 'boolean') {
    if (operator !== 'eq') throw unsupported(comparison, `does not support ${operator}`);
    return { [field]: requireBooleanLiteral(comparison) };
  }
  return { [field]: { $regex: pattern(comparison, fold), ...(!attribute.caseExact && { $options: 'i' }) } };
}

function pattern(comparison: Comparison, fold: Fold): string {
  switch (comparison.operator) {
    case 'eq':
      return `^${escapePattern(fold(requireTextLiteral(comparison)))}${end}`;
    case 'co':
      return escapePattern(searchText(comparison, fold));
    case 'sw':
      return `^${escapePattern(searchText(comparison, fold))}`;
    case 'ew':
      return `${escapePattern(searchText(comparison, fold))}${end}`;
    default:
      throw unsupported(comparison, `does not support ${comparison.operator}`);
  }
}
