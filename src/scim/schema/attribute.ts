import type { ValueShape } from '#src/directory/index.js';
import type { SearchRule } from './search-rule.js';

/** The definition of an attribute, with the characteristics of RFC 7643 section 7. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'decimal' | 'dateTime' | 'reference' | 'complex';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default';
  readonly uniqueness: 'none' | 'server' | 'global';
  /** Suggested values. Others are accepted. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
  /** Whether PATCH leaves the value as it is when a client unassigns it. */
  readonly staysWhenUnassigned?: true;
  /** Whether a client may send a bare text instead of the object. The text is the sub-attribute `value`. */
  readonly bareValue?: true;
  /** Whether the service makes it of another part of the value. What a client sends for it is ignored. */
  readonly isMade?: true;
  /** Whether a value of the list that lacks a required part is an error. Values of other lists are then left out. */
  readonly refusesIncomplete?: true;
  /** The key under which users have the value of an attribute that their organization registered. */
  readonly key?: string;
  /** The values that the directory accepts, for the description of the API. Absent for a text of at most 500 usable characters. */
  readonly shape?: ValueShape;
  /** The most values of a list. Absent for 200. */
  readonly most?: number;
  /** How filters and sorting find the stored value. Absent if they cannot use the attribute. */
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

/** Declares an attribute. Other characteristics have the defaults of RFC 7643 section 2.2. */
export function attribute(
  name: string,
  description: string,
  differences: Partial<Omit<Attribute, 'name' | 'description'>> = {},
): Attribute {
  return { name, description, ...usual, ...differences };
}

/** Whether the value is what clients send for it. */
export function isWritten({ mutability, isMade }: Attribute): boolean {
  return mutability !== 'readOnly' && !isMade;
}

/** The sub-attribute of this name, in any letter case. */
export function subAttributeOf(parent: Attribute, name: string): Attribute | undefined {
  const lowerCase = name.toLowerCase();
  return parent.subAttributes?.find((sub) => sub.name.toLowerCase() === lowerCase);
}
