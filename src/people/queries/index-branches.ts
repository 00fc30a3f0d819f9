import type { IndexedFields } from './indexed-fields.js';
import type { LeafCondition, ResourceQuery, ValuesCondition } from './query.js';

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

/** Each branch is a query of its own. A union of more is read in the order of the list instead. */
const mostBranches = 10;

/** Fields in which many users share a value. */
const sharedFields = new Set(['created', 'lastModified']);

/**
 * Returns the conditions that find all matches of a query together, each through one index: the terms of an `or`, or the query
 * itself if one of its conjuncts has an index. Several may find the same resource. Undefined if indexes cannot find all matches.
 */
export function indexBranches(
  query: ResourceQuery,
  fields: IndexedFields,
): readonly IndexBranch[] | undefined {
  const branches = branchesOf(query, fields);
  return branches !== undefined && branches.length <= mostBranches ? branches : undefined;
}

function branchesOf(query: ResourceQuery, fields: IndexedFields): readonly IndexBranch[] | undefined {
  switch (query.kind) {
    case 'and':
      return bestOf(query.operands, query, fields);
    case 'or':
      return united(query.operands, fields);
    case 'not':
      return undefined;
    case 'element': {
      const key = fields.keyOf(query);
      const branch = key && branchOf(key, fields);
      return branch && [{ ...branch, where: query }];
    }
    default: {
      const branch = branchOf(query, fields);
      return branch && [branch];
    }
  }
}

function branchOf(leaf: LeafCondition, fields: IndexedFields): IndexBranch | undefined {
  const found = fields.readOf(leaf);
  if (found === undefined) return undefined;
  const { field, reads } = found;
  const values = reads === 'values' && fields.isUnique(field) ? valuesOf(leaf) : undefined;
  return values === undefined
    ? { field, reads, key: leaf, where: leaf }
    : { field, reads, key: leaf, where: leaf, atMost: values.length };
}

/** The branches of the operand of a conjunction that costs the least. The others are tested beside the index. */
function bestOf(
  operands: readonly ResourceQuery[],
  whole: ResourceQuery,
  fields: IndexedFields,
): readonly IndexBranch[] | undefined {
  const found = operands.flatMap((operand) => {
    const branches = branchesOf(operand, fields);
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
function united(terms: readonly ResourceQuery[], fields: IndexedFields): readonly IndexBranch[] | undefined {
  const others: IndexBranch[] = [];
  const valuesByField = new Map<string, Set<string | Date>>();
  for (const term of terms) {
    const branches = branchesOf(term, fields);
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
    const branch = branchOf({ kind: 'oneOf', field, values: [...values], written }, fields);
    if (branch !== undefined) equalities.push(branch);
  }
  return [...equalities, ...others];
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
