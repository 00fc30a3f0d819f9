import { subAttributeOf } from '../schema/attribute.js';
import { type ResourceSchema, targetOf } from '../schema/resource-schema.js';
import { type AttributeExpression, conjuncts, type Filter } from './ast.js';
import { isValueComparison } from './compile-element.js';
import { sameForAll } from './compile-stored.js';

/** Clients ask for a prefix, or for a span of time. More ranges than these are not usual. */
const fewRanges = 4;

/**
 * The conditions of a filter for which the store reads every user of the organization, such as `title co`. A filter that
 * names a few users, such as by `userName` or an address, has none. An index serves a range such as `userName sw`, but every
 * user may be in it, so more than four ranges count too.
 */
export function scanningConditions(filter: Filter, schema: ResourceSchema): string[] {
  if (conjuncts(filter).some((one) => namesFew(one, schema))) return [];
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

/** Attributes of which hardly two resources of an organization have the same value. */
const naming: ReadonlySet<string> = new Set(['id', 'userName', 'externalId', 'emails', 'employeeNumber']);

function namesFew(filter: Filter, schema: ResourceSchema): boolean {
  if (filter.kind === 'element') {
    const isEmails = schema.find(filter.name)?.attribute.name === 'emails';
    return (
      isEmails && conjuncts(filter.filter).some((one) => isValueComparison(one) && one.operator === 'eq')
    );
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return false;
  const path = schema.find(filter.name);
  if (path === undefined || targetOf(path).search?.served.includes('eq') !== true) return false;
  const { attribute, sub } = path;
  return naming.has(attribute.name) || (sub !== undefined && naming.has(sub.name));
}

function isIndexed({ name, operator }: AttributeExpression, schema: ResourceSchema): boolean {
  const path = schema.find(name);
  if (path === undefined || sameForAll(path, schema) !== undefined) return true;
  return targetOf(path).search?.served.includes(operator) === true;
}

/** Whether an index serves a condition on the value. See `compileElement`. */
function isIndexedElement(name: string, filter: Filter, schema: ResourceSchema): boolean {
  const attribute = schema.find(name)?.attribute;
  if (attribute === undefined) return false;
  const { search } = subAttributeOf(attribute, 'value') ?? {};
  if (search?.isRelation) return true;
  return conjuncts(filter).some(
    (one) => isValueComparison(one) && search?.served.includes(one.operator) === true,
  );
}
