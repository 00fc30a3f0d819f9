/** Evaluates the part of MongoDB's query language that compiled filters use, with MongoDB's rules for lists. */

type Query = Record<string, unknown>;

export function matchesQuery(document: unknown, query: Query): boolean {
  return Object.entries(query).every(([key, condition]) => {
    const branches = () => (condition as Query[]).map((branch) => matchesQuery(document, branch));
    if (key === '$and') return branches().every(Boolean);
    if (key === '$or') return branches().some(Boolean);
    if (key === '$nor') return !branches().some(Boolean);
    return matchesField(valueAt(document, key), condition);
  });
}

function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce(memberOf, document);
}

/** The member of an object. Of a list, the members of its objects; undefined if none has it. */
function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    const members = value.map((item) => memberOf(item, name)).filter((member) => member !== undefined);
    return members.length === 0 ? undefined : members;
  }
  return typeof value === 'object' && value !== null ? (value as Query)[name] : undefined;
}

function matchesField(value: unknown, condition: unknown): boolean {
  if (!isOperators(condition)) return someItem(value, (item) => compare(item, condition) === 0);
  return Object.entries(condition).every(([operator, operand]) => {
    switch (operator) {
      case '$exists':
        return (value !== undefined) === operand;
      case '$ne':
        return !matchesField(value, operand);
      case '$gt':
        return someItem(value, (item) => compare(item, operand) > 0);
      case '$gte':
        return someItem(value, (item) => compare(item, operand) >= 0);
      case '$lt':
        return someItem(value, (item) => compare(item, operand) < 0);
      case '$lte':
        return someItem(value, (item) => compare(item, operand) <= 0);
      case '$not':
        return !matchesField(value, operand);
      case '$regex': {
        const pattern = new RegExp(operand as string, 'u');
        return someItem(value, (item) => typeof item === 'string' && pattern.test(item));
      }
      case '$elemMatch':
        return Array.isArray(value) && value.some((item) => matchesElement(item, operand as Query));
      default:
        throw new Error(`Unknown operator ${operator}`);
    }
  });
}

function matchesElement(item: unknown, query: Query): boolean {
  return typeof item === 'object' ? matchesQuery(item, query) : matchesField(item, query);
}

function someItem(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) ? value.some(test) : test(value);
}

function isOperators(condition: unknown): condition is Query {
  return typeof condition === 'object' && condition !== null && !(condition instanceof Date);
}

/** Order of two values of the same type; NaN, which no test passes, for values of different types. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  return a === b ? 0 : Number.NaN;
}
