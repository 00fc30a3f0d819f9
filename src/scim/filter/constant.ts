import { compareFolded, foldCase } from '#src/directory/index.js';
import type { Attribute } from '../schema/attribute.js';
import type { AttributeExpression } from './ast.js';
import { requireTextLiteral } from './compile-comparison.js';

const tests: Readonly<
  Record<AttributeExpression['operator'], (constant: string, literal: string) => boolean>
> = {
  eq: (constant, literal) => constant === literal,
  ne: (constant, literal) => constant !== literal,
  co: (constant, literal) => constant.includes(literal),
  sw: (constant, literal) => constant.startsWith(literal),
  ew: (constant, literal) => constant.endsWith(literal),
  gt: (constant, literal) => compareFolded(constant, literal) > 0,
  ge: (constant, literal) => compareFolded(constant, literal) >= 0,
  lt: (constant, literal) => compareFolded(constant, literal) < 0,
  le: (constant, literal) => compareFolded(constant, literal) <= 0,
};

/**
 * Whether a comparison holds for an attribute that has the same text in every resource.
 * @throws AppError `scim.filterUnsupported` if the literal is no string
 */
export function holdsForConstant(
  comparison: AttributeExpression,
  { caseExact }: Pick<Attribute, 'caseExact'>,
  constant: string,
): boolean {
  const literal = requireTextLiteral(comparison);
  const test = tests[comparison.operator];
  return caseExact ? test(constant, literal) : test(foldCase(constant), foldCase(literal));
}
