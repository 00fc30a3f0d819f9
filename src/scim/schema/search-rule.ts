import {
  type EmploymentField,
  employmentKey,
  extensionKey,
  foldCase,
  requirePreferredLanguage,
  type SearchKeys,
  toPhoneNumber,
  withoutPhoneSeparators,
} from '#src/directory/index.js';
import type { RelatedCondition } from '#src/people/queries/index.js';

/** The comparison operators of RFC 7644 table 3. `pr` is not one of them, because it has no literal. */
export const comparisonOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

/** A field of the stored resource that filters and sorting may name. */
export type StoredField =
  | '_id'
  | 'externalId'
  | 'active'
  | 'created'
  | 'lastModified'
  | `${RelatedCondition['relation']}.value`
  | `search.${keyof SearchKeys}`;

/** How filters and sorting find an attribute. Every attribute with a rule supports `pr`. */
export interface SearchRule {
  readonly field: StoredField;
  readonly operators: readonly ComparisonOperator[];
  /** Turns a literal, or a part of a text, into the form of the stored text. */
  readonly fold: (literal: string) => string;
  /** Whether values are stored without the blanks around them. Blanks within a value count. */
  readonly trimmed?: true;
  /** Turns a literal that stands for a whole text into the form of the stored text. As `fold` if absent. */
  readonly foldWhole?: (literal: string) => string;
  /** Turns a literal that stands for a part of a text into each form that it can have in stored texts. As `fold` if absent. */
  readonly foldPart?: (literal: string) => readonly string[];
  /** Present if the values are identifiers of related resources. See `resolveRelation`. */
  readonly relation?: RelatedCondition['relation'];
  /** Whether the field has keys of several attributes. `pr` and other operators then use the stored value. */
  readonly isShared?: true;
  /** Present if the attribute supports `sortBy`. */
  readonly sortField?: StoredField;
}

const asWritten = (literal: string) => literal;

/** The rule of a text that is compared without regard to letter case. */
export function foldedText(name: keyof SearchKeys, differences: Partial<SearchRule> = {}): SearchRule {
  return { field: `search.${name}`, operators: comparisonOperators, fold: foldCase, ...differences };
}

/** The rule of the identifier that the service assigned. Letter case counts. */
export const exactId: SearchRule = {
  field: '_id',
  operators: comparisonOperators,
  fold: asWritten,
  sortField: '_id',
};

/** The rule of the identifier that the client assigned. Letter case counts. */
export const exactExternalId: SearchRule = {
  field: 'externalId',
  operators: comparisonOperators,
  fold: asWritten,
};

/** The rule of the flag whether a user may sign in. */
export const activeFlag: SearchRule = { field: 'active', operators: ['eq', 'ne'], fold: asWritten };

/** The rule of the identifiers of related resources. */
export function relation(name: RelatedCondition['relation']): SearchRule {
  return { field: `${name}.value`, operators: ['eq', 'ne'], fold: asWritten, relation: name };
}

/** The rule of a text whose field it shares with others of {@link EmploymentField}. */
export function employmentRule(name: EmploymentField): SearchRule {
  return {
    field: 'search.attributes',
    operators: ['eq', 'ne'],
    fold: (literal) => employmentKey(name, literal),
    isShared: true,
  };
}

/** The rule of an attribute of the organization whose field is the one of {@link employmentRule}. */
export function extensionRule(key: string): SearchRule {
  return {
    field: 'search.attributes',
    operators: ['eq', 'ne'],
    fold: (literal) => extensionKey(key, literal),
    isShared: true,
  };
}

/** The rule of a timestamp. */
export function instant(field: 'created' | 'lastModified'): SearchRule {
  const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
  return { field, operators, fold: asWritten, sortField: field };
}

/** Returns a telephone number, or a part of one, without `tel:`, spaces, hyphens, parentheses and dots. */
export function foldPhone(literal: string): string {
  return foldCase(withoutPhoneSeparators(literal));
}

/** Telephone numbers are stored without separators. Those that cannot be normalized are stored as they were sent. */
export function foldWholePhone(literal: string): string {
  return foldCase(toPhoneNumber(literal));
}

/** A part with other characters than digits can only be in a number that is stored as it was sent. */
export function foldPartOfPhone(literal: string): readonly string[] {
  const bare = foldPhone(literal);
  return [...new Set([...(/^\+?\d+$/.test(bare) ? [bare] : []), foldCase(literal)])];
}

/** E-mail addresses contain no blanks, and are stored without those around them. */
export function foldAddress(literal: string): string {
  return foldCase(literal.trim());
}

/** Language tags are stored with hyphens. */
export function foldLanguage(literal: string): string {
  return foldCase(literal.replaceAll('_', '-'));
}

/** Language tags are stored in canonical form, such as `he` for `iw`. */
export function foldWholeLanguage(literal: string): string {
  try {
    return foldCase(requirePreferredLanguage('preferredLanguage', literal));
  } catch {
    return foldLanguage(literal);
  }
}
