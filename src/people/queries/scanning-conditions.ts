import type { IndexedFields } from './indexed-fields.js';
import { conditionsIn, type LeafCondition, type ResourceQuery, type WrittenTest } from './query.js';

/** Clients ask for a prefix, or for a span of time. More ranges than these are not usual. */
const fewRanges = 4;
/** The most conjunctions within a disjunction that name a few resources. Each is a query of its own, and a union of ten is the longest. */
const fewConjunctions = 4;

/**
 * Returns the conditions for which the store reads every resource of the organization, such as `title co`. A query that names a
 * few resources, such as by `userName` or an address, has none. An index serves a range such as `userName sw`, but every
 * resource may be in it, so more than four ranges count too.
 */
export function scanningConditions(query: ResourceQuery, fields: IndexedFields): string[] {
  if (namesFew(query, fields)) return [];
  const ranges = rangesIn(query, fields);
  const conjunctions = conjunctionsIn(query, fields);
  return [
    ...unserved(query, fields),
    ...(ranges.length > fewRanges ? ranges : []),
    ...(conjunctions.length > fewConjunctions ? conjunctions : []),
  ];
}

/** The tests of the conjunctions that name a few resources, one for each. */
function conjunctionsIn(query: ResourceQuery, fields: IndexedFields): string[] {
  if (query.kind !== 'and' && query.kind !== 'or') return [];
  if (namesFew(query, fields)) return testsOf(query).slice(0, 1);
  return query.operands.flatMap((one) => conjunctionsIn(one, fields));
}

function namesFew(query: ResourceQuery, fields: IndexedFields): boolean {
  switch (query.kind) {
    case 'and':
      return query.operands.some((one) => namesFew(one, fields));
    case 'element':
      return query.keys.some((key) => namesFew(key, fields));
    case 'equal':
      return query.isNaming && fields.isServed(query);
    default:
      return false;
  }
}

/** The conditions that an index serves by reading a range of its keys. */
function rangesIn(query: ResourceQuery, fields: IndexedFields): string[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.operands.flatMap((one) => rangesIn(one, fields));
    case 'not':
      return [];
    case 'element':
      return fields.keyOf(query) !== undefined && conditionsIn(query.where).some(isRange)
        ? testsOf(query)
        : [];
    default:
      return isRange(query) && (isConstant(query) || fields.isServed(query)) ? testsOf(query) : [];
  }
}

function unserved(query: ResourceQuery, fields: IndexedFields): string[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      if (namesFew(query, fields)) return [];
      return query.operands.flatMap((one) => unserved(one, fields));
    case 'not':
      return testsOf(query.operand).map((test) => `not ${test}`);
    case 'element':
      return fields.keyOf(query) === undefined ? testsOf(query) : [];
    default:
      return isConstant(query) || fields.isServed(query) ? [] : testsOf(query);
  }
}

/** Every test of a query, as a client writes it, without its literal. */
function testsOf(query: ResourceQuery): string[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.operands.flatMap(testsOf);
    case 'not':
      return testsOf(query.operand);
    case 'element':
      return testsOf(query.where).map((test) => `${query.name}[${test}]`);
    default:
      return textsOf(query.written);
  }
}

function textsOf({ name, operator, inner }: WrittenTest): string[] {
  return inner === undefined
    ? [`${name} ${operator}`]
    : inner.flatMap(textsOf).map((test) => `${name}[${test}]`);
}

function isConstant({ kind }: LeafCondition): boolean {
  return kind === 'all' || kind === 'none';
}

/** Whether the client compares a value by another operator than equality. */
function isRange(query: ResourceQuery): boolean {
  if (!('written' in query)) return false;
  const { operator } = query.written;
  return operator !== 'eq' && operator !== 'pr';
}
