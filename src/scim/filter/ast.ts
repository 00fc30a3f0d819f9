import type { ComparisonOperator } from '../schema/search-rule.js';

export type Literal = string | number | boolean;

/**
 * A parsed filter (RFC 7644 section 3.4.2.2). Names are as the client wrote them. There is no literal null: the parser
 * turns `eq null` into `not pr`, and `ne null` into `pr`.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'present'; readonly name: string }
  | AttributeExpression
  /** At least one value of a multi-valued attribute matches `filter`. The names in `filter` are sub-attributes. */
  | { readonly kind: 'element'; readonly name: string; readonly filter: Filter };

/** A comparison of an attribute with a value: `attrExp` with `compareOp` in the grammar of RFC 7644. */
export interface AttributeExpression {
  readonly kind: 'compare';
  readonly name: string;
  readonly operator: ComparisonOperator;
  readonly literal: Literal;
}

/** The truth value of a literal. Some clients quote booleans or capitalize them. Undefined if it is no boolean. */
export function booleanOf(literal: Literal): boolean | undefined {
  const word = String(literal).toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}

/** The conditions that must all hold: the operands of a conjunction, or the filter itself. */
export function conjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.operands.flatMap(conjuncts) : [filter];
}
