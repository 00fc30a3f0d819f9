import type { ComparisonOperator } from '../schema/search-rule.js';

export type Literal = string | number | boolean;

/**
 * A parsed filter (RFC 7644 section 3.4.2.2). Names are as the client wrote them. `eq null` and `ne null` have
 * become `not pr` and `pr`, so null is not among the literals.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'present'; readonly name: string }
  | Comparison
  /** Some value of a multi-valued attribute fulfils all of `filter`, whose names are sub-attributes. */
  | { readonly kind: 'element'; readonly name: string; readonly filter: Filter };

export interface Comparison {
  readonly kind: 'compare';
  readonly name: string;
  readonly operator: ComparisonOperator;
  readonly literal: Literal;
}

/** The conditions that must all hold: the operands of a conjunction, or the filter itself. */
export function conjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.operands.flatMap(conjuncts) : [filter];
}
