import type { FilterQuery } from './text-query.js';

/**
 * Rewrites regular expressions for a field beside an equality of the same field. DocumentDB looks the equality up in an index
 * and then leaves the expression out. It evaluates the double negation, which means the same.
 * @param operands of one conjunction
 */
export function besideEquality(operands: readonly FilterQuery[]): FilterQuery[] {
  const fields = new Set(operands.flatMap(equalFields));
  return fields.size === 0 ? [...operands] : operands.map((operand) => negateTwice(operand, fields));
}

/** The fields that must equal something, also within further conjunctions. */
function equalFields(query: FilterQuery): string[] {
  return Object.entries(query).flatMap(([key, value]) => {
    if (key === '$and') return (value as FilterQuery[]).flatMap(equalFields);
    const isEqual = typeof value === 'string' || (isObject(value) && ('$eq' in value || '$in' in value));
    return isEqual && !key.startsWith('$') ? [key] : [];
  });
}

function negateTwice(query: FilterQuery, fields: ReadonlySet<string>): FilterQuery {
  const rewritten = Object.entries(query).map(([key, value]): [string, unknown] => {
    if (['$and', '$or', '$nor'].includes(key)) {
      return [key, (value as FilterQuery[]).map((operand) => negateTwice(operand, fields))];
    }
    const isExpression = fields.has(key) && isObject(value) && '$regex' in value;
    return isExpression ? ['$nor', [{ [key]: { $not: value } }]] : [key, value];
  });
  return Object.fromEntries(rewritten) as FilterQuery;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
