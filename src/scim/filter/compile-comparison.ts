import type { LeafCondition, RangeCondition, TextCondition } from '#src/people/queries/index.js';
import { parseDateTime } from '#src/platform/date-time.js';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import type { Attribute } from '../schema/attribute.js';
import type { SearchRule } from '../schema/search-rule.js';
import { type AttributeExpression, booleanOf } from './ast.js';

/** How an attribute is compared. */
interface Searchable {
  readonly type: Attribute['type'];
  readonly rule: SearchRule;
  /** Whether the attribute can have several values. */
  readonly isList: boolean;
  /** Whether hardly two resources of an organization have the same value. */
  readonly isNaming: boolean;
}

/** The operators for a part of a text. */
export const textParts = { co: 'contains', sw: 'begins', ew: 'ends' } as const satisfies {
  readonly [Operator in AttributeExpression['operator']]?: TextCondition['match'];
};

/**
 * Compiles one comparison.
 * @throws AppError `scim.filterUnsupported` if the attribute does not support it or the literal has another type
 */
export function compileComparison(comparison: AttributeExpression, target: Searchable): LeafCondition {
  const { operator } = comparison;
  const { rule, isList, isNaming } = target;
  const { field, relation } = rule;
  if (!rule.operators.includes(operator)) throw unsupported(comparison, `does not support ${operator}`);
  switch (operator) {
    case 'eq':
    case 'ne': {
      const isEqual = operator === 'eq';
      const value = storedValue(comparison, target);
      if (relation !== undefined) {
        const kind = isEqual ? 'related' : 'unrelated';
        return { kind, relation, id: String(value), written: comparison };
      }
      const kind = isEqual ? 'equal' : 'unequal';
      return { kind, field, value, anyCase: false, isNaming, written: comparison };
    }
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return { kind: 'range', field, operator, value: orderedValue(comparison, target), written: comparison };
    default:
      return {
        kind: 'text',
        match: textParts[operator],
        field,
        texts: partTexts(trimmed(comparison, rule), rule),
        isList,
        anyCase: false,
        written: comparison,
      };
  }
}

function storedValue(comparison: AttributeExpression, { type, rule }: Searchable): string | boolean | Date {
  if (type === 'boolean') return requireBooleanLiteral(comparison);
  if (type === 'integer') return rule.fold(String(requireNumberLiteral(comparison)));
  if (type === 'dateTime') return requireMoment(comparison);
  return (rule.foldWhole ?? rule.fold)(requireTextLiteral(trimmed(comparison, rule)));
}

/** The literal of a range, in the form in which equality would find it. */
function orderedValue(comparison: AttributeExpression, target: Searchable): RangeCondition['value'] {
  if (target.type === 'dateTime') return requireMoment(comparison);
  return String(storedValue(comparison, target));
}

/** Trims a literal where stored values have no blanks. A beginning may end with a blank, and an end begin with one. */
function trimmed(comparison: AttributeExpression, rule: SearchRule): AttributeExpression {
  const { operator, literal } = comparison;
  if (!rule.trimmed || typeof literal !== 'string' || operator === 'co') return comparison;
  if (operator === 'sw') return { ...comparison, literal: literal.trimStart() };
  if (operator === 'ew') return { ...comparison, literal: literal.trimEnd() };
  return { ...comparison, literal: literal.trim() };
}

/**
 * The forms that the literal, a part of a text, can have in stored texts.
 * @throws AppError as {@link searchText}
 */
export function partTexts(
  comparison: AttributeExpression,
  { fold, foldPart }: Pick<SearchRule, 'fold' | 'foldPart'>,
): readonly string[] {
  const text = searchText(comparison, fold);
  return foldPart?.(requireTextLiteral(comparison)) ?? [text];
}

/** @throws AppError if the literal is no string, or is empty when folded: every text contains the empty text */
function searchText(comparison: AttributeExpression, fold: (literal: string) => string): string {
  const text = fold(requireTextLiteral(comparison));
  if (text === '') throw unsupported(comparison, `needs a text for ${comparison.operator}`);
  return text;
}

/** @throws AppError if the literal is no string */
export function requireTextLiteral(comparison: AttributeExpression): string {
  if (typeof comparison.literal === 'string') return comparison.literal;
  throw unsupported(comparison, 'is compared with a quoted string');
}

/** @throws AppError if the literal is no number. Some clients quote it */
export function requireNumberLiteral(comparison: AttributeExpression): number {
  const { literal } = comparison;
  const number = typeof literal === 'string' && literal.trim() !== '' ? Number(literal) : literal;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw unsupported(comparison, 'is compared with a number');
  return number;
}

/** @throws AppError if the literal is no timestamp */
export function requireMoment(comparison: AttributeExpression): Date {
  const instant = parseDateTime(requireTextLiteral(comparison));
  if (instant === undefined)
    throw unsupported(comparison, 'is compared with a timestamp such as 2024-05-13T04:42:34Z');
  return instant;
}

/** @throws AppError if the literal is no boolean */
export function requireBooleanLiteral(comparison: AttributeExpression): boolean {
  const flag = booleanOf(comparison.literal);
  if (flag === undefined) throw unsupported(comparison, 'is compared with true or false');
  return flag;
}

/** The error for a valid comparison that is not supported. */
export function unsupported({ name }: Pick<AttributeExpression, 'name'>, reason: string): AppError {
  return new AppError(scimErrors.filterUnsupported, { detail: `${name} ${reason}` });
}
