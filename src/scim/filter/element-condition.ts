import { isLongerThan } from '#src/directory/index.js';
import type { LeafCondition, ResourceQuery } from '#src/people/queries/index.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { SearchRule } from '../schema/search-rule.js';
import type { AttributeExpression, Filter } from './ast.js';
import {
  partTexts,
  requireBooleanLiteral,
  requireMoment,
  requireNumberLiteral,
  requireTextLiteral,
  textParts,
  unsupported,
} from './compile-comparison.js';

/** The longest text by which texts without a folded copy are ordered, in characters. The length and the depth of its pattern grow with it. */
const longestOrdered = 100;

/** How a literal becomes the form of stored values. */
type Folding = Pick<SearchRule, 'fold' | 'foldWhole' | 'foldPart'>;

const asWritten: Folding = { fold: (literal) => literal };

/**
 * A condition on one stored value of a multi-valued attribute. Its sub-attributes have no folded twins, so the comparison
 * ignores letter case.
 * @param folding turns a literal into the stored form of `value`
 */
export function elementCondition(
  filter: Filter,
  attribute: Attribute,
  folding: Folding = asWritten,
): ResourceQuery {
  const compile = (inner: Filter): ResourceQuery => elementCondition(inner, attribute, folding);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map(compile) };
    case 'not':
      return { kind: 'not', operand: compile(filter.operand) };
    case 'element':
      throw unsupported(filter, 'cannot be filtered in brackets');
    case 'present':
      return {
        kind: 'present',
        field: searchableSub(filter.name, attribute).name,
        written: { name: filter.name, operator: 'pr' },
      };
    case 'compare':
      return comparisonCondition(filter, searchableSub(filter.name, attribute), folding);
  }
}

function searchableSub(name: string, attribute: Attribute): Attribute {
  const sub = subAttributeOf(attribute, name);
  if (sub === undefined) throw unsupported({ name }, `is no sub-attribute of ${attribute.name}`);
  return sub;
}

function comparisonCondition(
  comparison: AttributeExpression,
  sub: Attribute,
  folding: Folding,
): LeafCondition {
  if (sub.type === 'boolean') return flagCondition(comparison, sub);
  const foldingOfSub = sub.name === 'value' ? folding : asWritten;
  return storedCondition(comparison, sub, {
    field: sub.name,
    isList: sub.multiValued,
    folding: foldingOfSub,
  });
}

/** A flag that a value of a list lacks is false (RFC 7643 section 2.4). */
function flagCondition(comparison: AttributeExpression, { name }: Attribute): LeafCondition {
  const { operator } = comparison;
  if (operator !== 'eq' && operator !== 'ne') throw unsupported(comparison, `does not support ${operator}`);
  const isTrue = requireBooleanLiteral(comparison) === (operator === 'eq');
  return equality(comparison, isTrue ? 'eq' : 'ne', { field: name, value: true });
}

/** The field of a stored value, and how a literal becomes its form. */
interface Stored {
  readonly field: string;
  readonly isList: boolean;
  readonly folding?: Folding;
}

/**
 * A condition on a stored value that has no folded twin. On a list it means that some value matches, and for `ne` that no
 * value is equal.
 */
export function storedCondition(
  comparison: AttributeExpression,
  attribute: Attribute,
  stored: Stored,
): LeafCondition {
  const { operator } = comparison;
  switch (attribute.type) {
    case 'boolean':
      if (operator !== 'eq' && operator !== 'ne')
        throw unsupported(comparison, `does not support ${operator}`);
      return equality(comparison, operator, { ...stored, value: requireBooleanLiteral(comparison) });
    case 'integer':
    case 'decimal':
      return ordered(comparison, { ...stored, value: requireNumberLiteral(comparison) });
    case 'dateTime':
      return ordered(comparison, { ...stored, value: requireMoment(comparison).toISOString() });
    default:
      return textual(comparison, { ...stored, anyCase: !attribute.caseExact });
  }
}

function equality(
  comparison: AttributeExpression,
  operator: 'eq' | 'ne',
  stored: { readonly field: string; readonly value: string | number | boolean; readonly anyCase?: boolean },
): LeafCondition {
  const { field, value, anyCase = false } = stored;
  const kind = operator === 'eq' ? 'equal' : 'unequal';
  return { kind, field, value, anyCase, isNaming: false, written: comparison };
}

/** A condition on a value that has an order. */
function ordered(
  comparison: AttributeExpression,
  stored: { readonly field: string; readonly value: number | string },
): LeafCondition {
  const { operator } = comparison;
  switch (operator) {
    case 'eq':
    case 'ne':
      return equality(comparison, operator, stored);
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return { kind: 'range', field: stored.field, operator, value: stored.value, written: comparison };
    default:
      throw unsupported(comparison, `does not support ${operator}`);
  }
}

/** A condition on a text, or on a list of texts. */
function textual(
  comparison: AttributeExpression,
  stored: Stored & { readonly anyCase: boolean },
): LeafCondition {
  const { operator } = comparison;
  const { field, isList, folding = asWritten, anyCase } = stored;
  switch (operator) {
    case 'eq':
    case 'ne': {
      const value = (folding.foldWhole ?? folding.fold)(requireTextLiteral(comparison));
      return equality(comparison, operator, { field, value, anyCase });
    }
    case 'co':
    case 'sw':
    case 'ew': {
      const texts = partTexts(comparison, folding);
      return { kind: 'text', match: textParts[operator], field, texts, isList, anyCase, written: comparison };
    }
    default: {
      const value = (folding.foldWhole ?? folding.fold)(requireTextLiteral(comparison));
      if (anyCase && isLongerThan(value, longestOrdered))
        throw unsupported(comparison, `is ordered by a text of at most ${longestOrdered} characters`);
      return { kind: 'range', field, operator, value, ...(anyCase && { anyCase }), written: comparison };
    }
  }
}
