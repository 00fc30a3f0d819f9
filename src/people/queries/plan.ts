import { isIndexed } from './user-indexes.js';

/** A condition on the document, as the filter compiler makes it. */
type Condition = Readonly<Record<string, unknown>>;

/** A condition whose matches one index finds. */
export interface IndexBranch {
  readonly field: string;
  /** The part of the condition that the index serves. */
  readonly key: Condition;
  /** The whole condition. It is `key` if it has no other part. */
  readonly where: Condition;
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
 * Returns the conditions that find all matches of a filter together, each through one index: the terms of an `or`, or the filter
 * itself if one of its conjuncts has an index. Several may find the same user. Undefined if indexes cannot find all matches.
 */
export function indexBranches(filter: Condition | undefined): readonly IndexBranch[] | undefined {
  const branches = filter && branchesOf(filter);
  return branches !== undefined && branches.length <= mostBranches ? branches : undefined;
}

function branchesOf(filter: Condition): readonly IndexBranch[] | undefined {
  const names = Object.keys(filter);
  if (names.length === 1 && names[0] !== '$and') return branchesOfOne(filter);
  const conjuncts = Object.entries(filter).flatMap(([name, condition]) =>
    name === '$and' ? (condition as Condition[]) : [{ [name]: condition }],
  );
  const [first] = conjuncts;
  if (first !== undefined && conjuncts.length === 1) return branchesOf(first);
  const found = conjuncts.flatMap((conjunct) => {
    const branches = branchesOf(conjunct);
    return branches === undefined ? [] : [{ conjunct, branches }];
  });
  const [best] = found.sort((a, b) => costOf(a.branches) - costOf(b.branches));
  if (best === undefined) return undefined;
  const { conjunct, branches } = best;
  const [only] = branches;
  if (only?.where === conjunct && branches.length === 1) return [{ ...only, where: filter }];
  const others = conjuncts.filter((one) => one !== conjunct);
  return branches.map((branch) => ({ ...branch, where: { $and: [branch.where, ...others] } }));
}

function branchesOfOne(term: Condition): readonly IndexBranch[] | undefined {
  const [[field, condition] = ['', undefined]] = Object.entries(term);
  if (field === '$or') return union((condition as Condition[]).map(branchesOf));
  if (field.startsWith('$') || !isIndexed(field)) return undefined;
  const values = valuesOf(condition);
  if (values === undefined) {
    const reads = keysOf(condition);
    return reads && [{ field, key: term, where: term, reads }];
  }
  const isUnique = field === '_id' || field === 'search.userName';
  return [{ field, key: term, where: term, reads: 'values', ...(isUnique && { atMost: values.length }) }];
}

/** The branches of all terms. Equalities of one field become one branch. */
function union(terms: readonly (readonly IndexBranch[] | undefined)[]): readonly IndexBranch[] | undefined {
  const others: IndexBranch[] = [];
  const valuesByField = new Map<string, unknown[]>();
  for (const branches of terms) {
    if (branches === undefined) return undefined;
    for (const branch of branches) {
      const { field, key, where } = branch;
      const values = where === key ? valuesOf(key[field]) : undefined;
      if (values === undefined) others.push(branch);
      else valuesByField.set(field, [...(valuesByField.get(field) ?? []), ...values]);
    }
  }
  const equalities = [...valuesByField].flatMap(
    ([field, values]) => branchesOfOne({ [field]: { $in: [...new Set(values)] } }) ?? [],
  );
  return [...equalities, ...others];
}

/** The values of which a field must have one. Undefined for other conditions. */
function valuesOf(condition: unknown): readonly unknown[] | undefined {
  if (isValue(condition)) return [condition];
  return isObject(condition) && Array.isArray(condition['$in']) ? condition['$in'] : undefined;
}

/**
 * The keys that a bound or a pattern reads. The filters "starts with" and "ends with" become bounds, or patterns that are
 * anchored at the start.
 */
function keysOf(condition: unknown): 'range' | 'everything' | undefined {
  if (!isObject(condition)) return undefined;
  const { $regex, $options } = condition;
  if (typeof $regex === 'string' && $options === undefined)
    return $regex.startsWith('^') ? 'range' : 'everything';
  const isBound = ['$gt', '$gte', '$lt', '$lte'].some((operator) => isValue(condition[operator]));
  return isBound ? 'range' : undefined;
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Date;
}

function isObject(value: unknown): value is Condition {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
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
