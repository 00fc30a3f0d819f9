import type { SearchRule } from './search-rule.js';

/** An attribute's definition with the characteristics of RFC 7643 section 7. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'dateTime' | 'reference' | 'complex';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default';
  readonly uniqueness: 'none' | 'server' | 'global';
  /** Suggested values; others are accepted. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
  /** How filters and sorting reach the stored value; absent where they cannot. */
  readonly search?: SearchRule;
}

const usual = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

/** Declares an attribute; what is not said is as RFC 7643 section 2.2 has it by default. */
export function attribute(
  name: string,
  description: string,
  differences: Partial<Omit<Attribute, 'name' | 'description'>> = {},
): Attribute {
  return { name, description, ...usual, ...differences };
}

/** The sub-attribute of this name in any letter case. */
export function subAttributeOf(parent: Attribute, name: string): Attribute | undefined {
  const lowerCase = name.toLowerCase();
  return parent.subAttributes?.find((sub) => sub.name.toLowerCase() === lowerCase);
}
