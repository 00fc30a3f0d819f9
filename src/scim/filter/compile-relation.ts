import type { RelatedCondition, ResourceQuery } from '#src/people/queries/index.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import { type AttributeExpression, conjuncts, type Filter } from './ast.js';
import { requireTextLiteral, unsupported } from './compile-comparison.js';
import { holdsForConstant } from './constant.js';

/** An attribute whose values are related resources: `members` of a group, or `groups` of a user. */
interface Relation {
  readonly attribute: Attribute;
  readonly relation: RelatedCondition['relation'];
  /** The attribute as the client wrote it. */
  readonly name: string;
}

/** The relation of an attribute. Undefined for all other attributes. */
export function relationOf(attribute: Attribute, name: string): Relation | undefined {
  const relation = attribute.search?.relation;
  return relation && { attribute, relation, name };
}

/** Compiles `members pr`. Each part of a related resource is present. */
export function compileAnyRelated({ relation, name }: Relation): ResourceQuery {
  return { kind: 'anyRelated', relation, written: { name, operator: 'pr' } };
}

/**
 * Compiles a value path such as `members[value eq "a"]`: one related resource passes the whole filter.
 * @throws AppError `scim.filterUnsupported`
 */
export function compileRelated(filter: Filter, related: Relation): ResourceQuery {
  if (filter.kind === 'or')
    return { kind: 'or', operands: filter.operands.map((operand) => compileRelated(operand, related)) };
  const { relation, name } = related;
  const all = conjuncts(filter);
  const written = { name, operator: 'eq', inner: all.filter((one) => one.kind === 'compare') };
  const tests = all.map((one) => (isIdentifierTest(one) ? one : isPassed(one, related)));
  const ids = tests.filter((one) => typeof one === 'object').map(requireTextLiteral);
  // No resource has two identifiers.
  if (tests.includes(false) || new Set(ids).size > 1) return { kind: 'none', written };
  const [id] = ids;
  return id === undefined ? compileAnyRelated(related) : { kind: 'related', relation, id, written };
}

/** Compiles a comparison of a part, such as `members.type eq "User"`. `ne` means that no related resource has the value. */
export function compileRelatedPart(
  comparison: AttributeExpression,
  leaf: Attribute | undefined,
  related: Relation,
): ResourceQuery {
  const inner = { ...comparison, name: leaf?.name ?? 'value' };
  if (comparison.operator !== 'ne') return compileRelated(inner, related);
  return { kind: 'not', operand: compileRelated({ ...inner, operator: 'eq' }, related) };
}

function isIdentifierTest(test: Filter): test is AttributeExpression {
  return test.kind === 'compare' && test.operator === 'eq' && test.name.toLowerCase() === 'value';
}

/** Whether every related resource passes the test, or none. All of them have the same type. */
function isPassed(test: Filter, related: Relation): boolean {
  const { attribute } = related;
  if (test.kind === 'not') return !isPassed(test.operand, related);
  const sub =
    test.kind === 'present' || test.kind === 'compare' ? subAttributeOf(attribute, test.name) : undefined;
  if (test.kind === 'present' && sub !== undefined) return true;
  const [constant] = sub?.canonicalValues ?? [];
  if (test.kind !== 'compare' || sub === undefined || constant === undefined)
    throw unsupported({ name: attribute.name }, 'is filtered by the identifier, such as [value eq "..."]');
  return holdsForConstant(test, sub, constant);
}
