import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import { type AttributePath, type ResourceSchema, targetOf } from '../schema/resource-schema.js';
import { type Comparison, conjuncts, type Filter } from './ast.js';
import { sameForAll } from './compile-stored.js';

/** Operators that an index serves, for attributes that have one. */
const indexed: ReadonlySet<Comparison['operator']> = new Set(['eq', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);

/** Clients ask for a prefix, or for a span of time. More ranges than these are not usual. */
const fewRanges = 4;

/**
 * The conditions of a filter for which the store reads every user of the organization, such as `title co`. A filter that
 * names one user by `id` or `userName` has none. An index serves a range such as `title sw`, but every user may be in it, so
 * more than four ranges count too.
 */
export function scanningConditions(filter: Filter, schema: ResourceSchema): string[] {
  if (conjuncts(filter).some((one) => namesOne(one, schema))) return [];
  const ranges = indexedRanges(filter, schema);
  return ranges.length > fewRanges ? [...scanning(filter, schema), ...ranges] : scanning(filter, schema);
}

/** The conditions that an index serves by reading a range of its keys. */
function indexedRanges(filter: Filter, schema: ResourceSchema): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap((one) => indexedRanges(one, schema));
    case 'not':
    case 'present':
      return [];
    case 'compare':
      return filter.operator !== 'eq' && isIndexed(filter, schema) ? leaves(filter) : [];
    case 'element':
      return isIndexedElement(filter.name, filter.filter, schema) && hasRange(filter.filter)
        ? leaves(filter)
        : [];
  }
}

function hasRange(filter: Filter): boolean {
  return conjuncts(filter).some((one) => one.kind === 'compare' && one.operator !== 'eq');
}

function scanning(filter: Filter, schema: ResourceSchema): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap((one) => scanning(one, schema));
    case 'not':
      return leaves(filter.operand).map((leaf) => `not ${leaf}`);
    case 'present':
      return isSameForAll(filter.name, schema) ? [] : leaves(filter);
    case 'compare':
      return isIndexed(filter, schema) ? [] : leaves(filter);
    case 'element':
      return isIndexedElement(filter.name, filter.filter, schema) ? [] : leaves(filter);
  }
}

/** Every test of a filter, as a client writes it, without its literal. */
function leaves(filter: Filter): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(leaves);
    case 'not':
      return leaves(filter.operand);
    case 'present':
      return [`${filter.name} pr`];
    case 'compare':
      return [`${filter.name} ${filter.operator}`];
    case 'element':
      return leaves(filter.filter).map((leaf) => `${filter.name}[${leaf}]`);
  }
}

function isSameForAll(name: string, schema: ResourceSchema): boolean {
  const path = schema.find(name);
  return path !== undefined && sameForAll(path, schema) !== undefined;
}

function namesOne(filter: Filter, schema: ResourceSchema): boolean {
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return false;
  const name = schema.find(filter.name)?.attribute.name;
  return name === 'id' || name === 'userName';
}

function isIndexed({ name, operator }: Comparison, schema: ResourceSchema): boolean {
  const path = schema.find(name);
  if (path === undefined || sameForAll(path, schema) !== undefined) return true;
  if (namesIndexedType(path)) return operator === 'eq';
  const { type, search } = targetOf(path);
  // No index has the few values of a flag.
  return search?.operators.includes(operator) === true && indexed.has(operator) && type !== 'boolean';
}

/** Whether the path is the type of values whose type and value have common keys, such as `emails.type`. */
export function namesIndexedType({ attribute, sub }: AttributePath): boolean {
  return sub?.name === 'type' && hasTypedKeys(attribute);
}

/** A type and at most one condition on the value have keys of their own. See `compileElement`. */
function isIndexedElement(name: string, filter: Filter, schema: ResourceSchema): boolean {
  const attribute = schema.find(name)?.attribute;
  const conditions = conjuncts(filter);
  const isOf = (part: string) => (one: Filter) =>
    one.kind === 'compare' && indexed.has(one.operator) && one.name.toLowerCase() === part;
  if (attribute?.search?.isRelation) return true;
  return (
    hasTypedKeys(attribute) &&
    conditions.some((one) => isOf('type')(one) && one.kind === 'compare' && one.operator === 'eq') &&
    (conditions.length === 1 || (conditions.length === 2 && conditions.some(isOf('value'))))
  );
}

function hasTypedKeys(attribute: Attribute | undefined): boolean {
  return attribute !== undefined && subAttributeOf(attribute, 'value')?.search?.byType !== undefined;
}
