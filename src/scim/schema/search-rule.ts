import { foldCase, type SearchKeys } from '#src/directory/users/search-keys.js';

/** Comparison operators of RFC 7644 table 3; `pr` is none, it compares nothing. */
export const comparisonOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

/** A field of the stored user that filters and sorting may name. */
export type StoredField =
  | '_id'
  | 'externalId'
  | 'active'
  | 'created'
  | 'lastModified'
  | `search.${keyof SearchKeys}`;

/** A stored text and its reversed twin, which serves `ew`. */
export interface TextFields {
  readonly field: StoredField;
  readonly reversed: StoredField;
}

/** How filters and sorting reach an attribute. `pr` is supported wherever a rule stands. */
export interface SearchRule {
  readonly field: StoredField;
  /** Present where `ew` is supported. */
  readonly reversed?: StoredField;
  readonly operators: readonly ComparisonOperator[];
  /** Brings a literal into the form of the stored text. */
  readonly fold: (literal: string) => string;
  /** Present where `sortBy` is supported. */
  readonly sortField?: StoredField;
  /** Keys that join the type and the value of each element, for `emails[type eq "work"]`. */
  readonly byType?: TextFields;
}

type TwinNames<Key> = Key extends `${infer Name}Reversed` ? Name : never;
type TwinName = Extract<TwinNames<keyof SearchKeys>, keyof SearchKeys>;

const asWritten = (literal: string) => literal;
const textOperators = ['eq', 'ne', 'co', 'sw', 'ew'] as const;

/** The folded twin of a text and its reverse. */
export function twinFields(name: TwinName): TextFields {
  return { field: `search.${name}`, reversed: `search.${name}Reversed` };
}

/** A text that is compared without regard to letter case. */
export function foldedText(name: TwinName, differences: Partial<SearchRule> = {}): SearchRule {
  return { ...twinFields(name), operators: textOperators, fold: foldCase, ...differences };
}

/** The identifier: case-exact, all operators of texts. */
export const exactId: SearchRule = {
  field: '_id',
  reversed: 'search.idReversed',
  operators: textOperators,
  fold: asWritten,
  sortField: '_id',
};

/** A case-exact text or a boolean that can only be equal or not. */
export function equalOnly(field: 'externalId' | 'active'): SearchRule {
  return { field, operators: ['eq', 'ne'], fold: asWritten };
}

/** A point in time. */
export function instant(field: 'created' | 'lastModified'): SearchRule {
  return { field, operators: ['eq', 'gt', 'ge', 'lt', 'le'], fold: asWritten, sortField: field };
}

/** Telephone numbers are stored without spaces, hyphens, parentheses and dots. */
export function foldPhone(literal: string): string {
  return literal.replace(/[\s\-().]/g, '');
}
