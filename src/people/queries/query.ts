/**
 * A search for stored resources, without the words of a database. A field is a path in the stored resource, such as
 * `search.userName`. A condition on a list means that some value of the list meets it.
 */
export type ResourceQuery =
  | {
      readonly kind: 'and' | 'or';
      readonly operands: readonly ResourceQuery[];
    }
  | { readonly kind: 'not'; readonly operand: ResourceQuery }
  | ElementCondition
  | LeafCondition;

/** One test of the client, as the client wrote it, without its literal: `title co`. */
export interface WrittenTest {
  readonly name: string;
  readonly operator: string;
  /** The tests in the brackets after the name, of which one condition was made. */
  readonly inner?: readonly WrittenTest[];
}

/** One value of a list of objects meets a condition. */
export interface ElementCondition {
  readonly kind: 'element';
  readonly field: string;
  /** The list as the client wrote it. */
  readonly name: string;
  /** The condition. Its fields are those of the value. */
  readonly where: ResourceQuery;
  /** Conditions on the search keys of the list. Every match meets each of them, and others may. */
  readonly keys: readonly LeafCondition[];
}

/** A condition on one field. */
export type LeafCondition =
  | ValueCondition
  | ValuesCondition
  | RangeCondition
  | TextCondition
  | RelatedCondition
  | AnyRelatedCondition
  | { readonly kind: 'present'; readonly field: string; readonly written: WrittenTest }
  | ComposedCondition
  /** Every resource meets it, or none does. */
  | { readonly kind: 'all' | 'none'; readonly written: WrittenTest };

/** The field has the value, or does not. A list has it if one of its values is equal. */
export interface ValueCondition {
  readonly kind: 'equal' | 'unequal';
  readonly field: string;
  readonly value: string | number | boolean | Date;
  /** Whether letter case does not matter. */
  readonly anyCase: boolean;
  /** Whether hardly two resources of an organization have the same value. */
  readonly isNaming: boolean;
  readonly written: WrittenTest;
}

/** The field has one of the values, or none of them. */
export interface ValuesCondition {
  readonly kind: 'oneOf' | 'noneOf';
  readonly field: string;
  readonly values: readonly (string | Date)[];
  readonly written: WrittenTest;
}

/** The value comes before or after another one. Texts are in the order of their code points. */
export interface RangeCondition {
  readonly kind: 'range';
  readonly field: string;
  readonly operator: 'gt' | 'ge' | 'lt' | 'le';
  readonly value: string | number | Date;
  /** Whether letter case does not matter. */
  readonly anyCase?: true;
  readonly written: WrittenTest;
}

/** A text has another one at its beginning, at its end, or anywhere. */
export interface TextCondition {
  readonly kind: 'text';
  readonly match: 'begins' | 'ends' | 'contains';
  readonly field: string;
  /** One of them suffices. */
  readonly texts: readonly string[];
  /** Whether the field has a list of texts. */
  readonly isList: boolean;
  /** Whether letter case does not matter. */
  readonly anyCase: boolean;
  readonly written: WrittenTest;
}

/** The resource is related to another one, or is not. Each relation is a document of its own, so that a store cannot test it. */
export interface RelatedCondition {
  readonly kind: 'related' | 'unrelated';
  /** The members of a group, or the groups of a user. */
  readonly relation: 'members' | 'groups';
  readonly id: string;
  readonly written: WrittenTest;
}

/** The resource is related to at least one other. */
export interface AnyRelatedCondition {
  readonly kind: 'anyRelated';
  readonly relation: RelatedCondition['relation'];
  readonly written: WrittenTest;
}

/** One test of the client that needs several conditions. No index serves it, and it costs as much as one. */
interface ComposedCondition {
  readonly kind: 'composed';
  readonly where: ResourceQuery;
  readonly written: WrittenTest;
}

/** The conditions that must all hold: the operands of a conjunction and of those in it, or the query itself. */
export function conditionsIn(query: ResourceQuery): readonly ResourceQuery[] {
  return query.kind === 'and' ? query.operands.flatMap(conditionsIn) : [query];
}
