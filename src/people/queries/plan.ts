import type { EndingField } from '#src/directory/index.js';
import { byId } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { SortOrder, SortPosition } from '#src/platform/mongo/read-sorted.js';
import { groupIndexes } from './group-indexes.js';
import {
  conditionsIn,
  type ElementCondition,
  type LeafCondition,
  type ResourceQuery,
  type ValuesCondition,
  type WrittenTest,
} from './query.js';
import { userIndexes } from './user-indexes.js';

/** A condition whose matches one index finds. */
export interface IndexBranch {
  readonly field: string;
  /** The part of the condition that the index serves. */
  readonly key: ResourceQuery;
  /** The whole condition. It is `key` if it has no other part. */
  readonly where: ResourceQuery;
  /** What the index reads: the keys of some values, a range of keys, or every key of the organization. */
  readonly reads: 'values' | 'range' | 'everything';
  /** The most matches there can be, if the condition says it. */
  readonly atMost?: number;
}

/** A part of a sorted list. */
interface PlannedPage {
  readonly filter?: ResourceQuery | undefined;
  readonly sort: SortOrder;
  readonly skip: number;
  readonly after?: SortPosition | undefined;
}

/** How the index of a field is declared. */
interface FieldIndex {
  readonly name: string;
  /** Whether at most one resource of an organization has a value. */
  readonly isUnique: boolean;
  /** Whether the index has every resource, in an order without ties. */
  readonly isSorted: boolean;
}

/** Each branch is a query of its own. A union of more is read in the order of the list instead. */
const mostBranches = 10;

/** Clients ask for a prefix, or for a span of time. More ranges than these are not usual. */
const fewRanges = 4;

/** Fields in which many users share a value. */
const sharedFields = new Set(['created', 'lastModified']);

/** Says which indexes of a collection serve a query, and what the query costs. */
export class QueryPlanner {
  readonly #fields: ReadonlyMap<string, FieldIndex>;
  readonly #endings: ReadonlyMap<string, EndingField>;

  /** @param endings the fields whose ends are keys in {@link endingsField} */
  constructor({ indexes }: CollectionIndexes, endings: ReadonlyMap<string, EndingField> = new Map()) {
    this.#fields = fieldIndexes(indexes);
    this.#endings = endings;
  }

  /** The name of the index that serves a condition on the field and a sort by the field. */
  indexName(field: string): string {
    return this.#fields.get(field)?.name ?? byId;
  }

  /** The name of the index in whose order lists by this field are read. Undefined if there is none. */
  sortIndexName(field: string): string | undefined {
    const index = this.#fields.get(field);
    return index?.isSorted ? index.name : undefined;
  }

  /** Where an index finds the end of a field. Undefined if there is none. */
  endingOf(field: string): { readonly field: string; readonly name: EndingField } | undefined {
    const name = this.#endings.get(field);
    return name && { field: endingsField, name };
  }

  /** The condition on the search keys of a list that an index serves. It finds each match, and maybe others. */
  keyOf({ keys }: ElementCondition): LeafCondition | undefined {
    return keys.find((key) => this.#isServed(key));
  }

  /**
   * Returns the conditions for which the store reads every resource of the organization, such as `title co`. A query that names a
   * few resources, such as by `userName` or an address, has none. An index serves a range such as `userName sw`, but every
   * resource may be in it, so more than four ranges count too.
   */
  scanning(query: ResourceQuery): string[] {
    if (this.#namesFew(query)) return [];
    const ranges = this.#ranges(query);
    return ranges.length > fewRanges ? [...this.#unserved(query), ...ranges] : this.#unserved(query);
  }

  /**
   * Returns the conditions that find all matches of a query together, each through one index: the terms of an `or`, or the query
   * itself if one of its conjuncts has an index. Several may find the same resource. Undefined if indexes cannot find all matches.
   */
  branches(query: ResourceQuery): readonly IndexBranch[] | undefined {
    const branches = this.#branchesOf(query);
    return branches !== undefined && branches.length <= mostBranches ? branches : undefined;
  }

  /**
   * Returns the branches that find the resources of a page. Undefined if the page is read in the order of its index, which may also be the
   * index that serves its filter.
   */
  union({ filter, sort }: PlannedPage): readonly IndexBranch[] | undefined {
    const branches = filter && this.branches(filter);
    const isOwn = branches?.length === 1 && branches[0]?.field === sort.field;
    return isOwn ? undefined : branches;
  }

  /** What an index reads to find the matches of a condition. Undefined if there is no index. */
  #reads(leaf: LeafCondition): Pick<IndexBranch, 'field' | 'reads'> | undefined {
    switch (leaf.kind) {
      case 'equal': {
        const { field, value, anyCase } = leaf;
        const isKey = typeof value === 'string' || value instanceof Date;
        return isKey && !anyCase && this.#fields.has(field) ? { field, reads: 'values' } : undefined;
      }
      case 'oneOf':
        return this.#fields.has(leaf.field) ? { field: leaf.field, reads: 'values' } : undefined;
      case 'range':
        return this.#fields.has(leaf.field) ? { field: leaf.field, reads: 'range' } : undefined;
      case 'text': {
        const { field, part, anyCase } = leaf;
        if (anyCase || !this.#fields.has(field)) return undefined;
        if (part === 'begins') return { field, reads: 'range' };
        const ending = part === 'ends' ? this.endingOf(field) : undefined;
        return ending ? { field: ending.field, reads: 'range' } : { field, reads: 'everything' };
      }
      default:
        return undefined;
    }
  }

  /** Whether an index finds the matches without reading every key. */
  #isServed(leaf: LeafCondition): boolean {
    if (leaf.kind === 'related') return true;
    const reads = this.#reads(leaf)?.reads;
    return reads === 'values' || reads === 'range';
  }

  #namesFew(query: ResourceQuery): boolean {
    switch (query.kind) {
      case 'and':
        return query.operands.some((one) => this.#namesFew(one));
      case 'element':
        return query.keys.some((key) => this.#namesFew(key));
      case 'equal':
        return query.isNaming && this.#isServed(query);
      default:
        return false;
    }
  }

  /** The conditions that an index serves by reading a range of its keys. */
  #ranges(query: ResourceQuery): string[] {
    switch (query.kind) {
      case 'and':
      case 'or':
        return query.operands.flatMap((one) => this.#ranges(one));
      case 'not':
        return [];
      case 'element':
        return this.keyOf(query) !== undefined && conditionsIn(query.where).some(isRange)
          ? testsOf(query)
          : [];
      default:
        return isRange(query) && (isConstant(query) || this.#isServed(query)) ? testsOf(query) : [];
    }
  }

  #unserved(query: ResourceQuery): string[] {
    switch (query.kind) {
      case 'and':
      case 'or':
        return query.operands.flatMap((one) => this.#unserved(one));
      case 'not':
        return testsOf(query.operand).map((test) => `not ${test}`);
      case 'element':
        return this.keyOf(query) === undefined ? testsOf(query) : [];
      default:
        return isConstant(query) || this.#isServed(query) ? [] : testsOf(query);
    }
  }

  #branchesOf(query: ResourceQuery): readonly IndexBranch[] | undefined {
    switch (query.kind) {
      case 'and':
        return this.#bestOf(query.operands, query);
      case 'or':
        return this.#united(query.operands);
      case 'not':
        return undefined;
      case 'element': {
        const key = this.keyOf(query);
        const branch = key && this.#branchOf(key);
        return branch && [{ ...branch, where: query }];
      }
      default: {
        const branch = this.#branchOf(query);
        return branch && [branch];
      }
    }
  }

  #branchOf(leaf: LeafCondition): IndexBranch | undefined {
    const found = this.#reads(leaf);
    if (found === undefined) return undefined;
    const { field, reads } = found;
    const values = reads === 'values' && this.#fields.get(field)?.isUnique ? valuesOf(leaf) : undefined;
    return values === undefined
      ? { field, reads, key: leaf, where: leaf }
      : { field, reads, key: leaf, where: leaf, atMost: values.length };
  }

  /** The branches of the operand of a conjunction that costs the least. The others are tested beside the index. */
  #bestOf(operands: readonly ResourceQuery[], whole: ResourceQuery): readonly IndexBranch[] | undefined {
    const found = operands.flatMap((operand) => {
      const branches = this.#branchesOf(operand);
      return branches === undefined ? [] : [{ operand, branches }];
    });
    const [best] = found.sort((a, b) => costOf(a.branches) - costOf(b.branches));
    if (best === undefined) return undefined;
    const { operand, branches } = best;
    const [only] = branches;
    if (only?.where === operand && branches.length === 1) return [{ ...only, where: whole }];
    const others = operands.filter((one) => one !== operand);
    return branches.map((branch) => ({
      ...branch,
      where: { kind: 'and', operands: [branch.where, ...others] },
    }));
  }

  /** The branches of all terms of a disjunction. Equalities of one field become one branch. */
  #united(terms: readonly ResourceQuery[]): readonly IndexBranch[] | undefined {
    const others: IndexBranch[] = [];
    const valuesByField = new Map<string, Set<string | Date>>();
    for (const term of terms) {
      const branches = this.#branchesOf(term);
      if (branches === undefined) return undefined;
      for (const branch of branches) {
        const { field, key, where } = branch;
        const values = where === key ? valuesOf(key) : undefined;
        if (values === undefined) others.push(branch);
        else {
          const known = valuesByField.get(field) ?? new Set();
          for (const value of values) known.add(value);
          valuesByField.set(field, known);
        }
      }
    }
    const equalities: IndexBranch[] = [];
    for (const [field, values] of valuesByField) {
      const written = { name: field, operator: 'eq' };
      const branch = this.#branchOf({ kind: 'oneOf', field, values: [...values], written });
      if (branch !== undefined) equalities.push(branch);
    }
    return [...equalities, ...others];
  }
}

/** The field whose index also has the ends of texts. See `endingKey`. */
const endingsField = 'search.attributes';

/** Plans searches for users. */
export const userPlanner = new QueryPlanner(
  userIndexes,
  new Map([
    ['search.userName', 'userName'],
    ['search.emails', 'emails'],
  ]),
);

/** Plans searches for groups. */
export const groupPlanner = new QueryPlanner(groupIndexes);

/**
 * Returns the folded userName if the first page of a filter for nothing else is asked. Provisioning clients send such a filter before they
 * create a user. The page has at most one user.
 */
export function userNameOf({ filter, sort, skip, after }: PlannedPage): string | undefined {
  if (filter?.kind !== 'equal' || filter.field !== 'search.userName') return undefined;
  const { value } = filter;
  const isFirst = sort.field === '_id' && skip === 0 && after === undefined;
  return isFirst && typeof value === 'string' ? value : undefined;
}

/** The fields that have an index of their own: it has the organization, the field, and perhaps the identifier, which breaks ties. */
function fieldIndexes(indexes: CollectionIndexes['indexes']): Map<string, FieldIndex> {
  const fields = new Map<string, FieldIndex>();
  for (const { key, name, unique = false, partialFilterExpression } of indexes) {
    const [first, field, ...others] = Object.keys(key);
    if (first !== 'orgId' || field === undefined || others.some((other) => other !== '_id')) continue;
    const isWhole = partialFilterExpression === undefined;
    const hasId = field === '_id' || others.length > 0;
    fields.set(field, {
      name: name ?? Object.entries(key).flat().join('_'),
      isUnique: field === '_id' || (unique && isWhole),
      isSorted: isWhole && (unique || hasId),
    });
  }
  return fields;
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

/** The values of which a field must have one. Undefined for other conditions. */
function valuesOf(query: ResourceQuery): ValuesCondition['values'] | undefined {
  if (query.kind === 'oneOf') return query.values;
  const isKey = query.kind === 'equal' && (typeof query.value === 'string' || query.value instanceof Date);
  return isKey ? [query.value as string | Date] : undefined;
}

/** Fewer queries come first, then those that read fewer keys. */
function costOf(branches: readonly IndexBranch[]): number {
  const [first] = branches;
  if (first === undefined) return 0;
  const { field, reads, atMost } = first;
  if (atMost !== undefined) return 10 * branches.length;
  const isShared = sharedFields.has(field);
  return 10 * branches.length + { values: 1, range: 3, everything: 5 }[reads] + (isShared ? 1 : 0);
}
