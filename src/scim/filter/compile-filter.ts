import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { type AttributePath, findAttribute } from '../schema/find-attribute.js';
import type { Comparison, Filter } from './ast.js';
import { besideEquality } from './beside-equality.js';
import { compileComparison } from './compile-comparison.js';
import { compileElement } from './compile-element.js';
import { compileStored, presentStored } from './compile-stored.js';
import { parseFilter } from './parse.js';
import { namesIndexedType } from './scanning-conditions.js';
import type { FilterQuery } from './text-query.js';

/**
 * Compiles a filter to a MongoDB condition (RFC 7644 section 3.4.2.2). `ne` and `not` also select users without the
 * attribute. On a multi-valued attribute `ne` means that no value is equal.
 * @throws AppError with scimType invalidFilter if the filter is malformed or names an attribute that is not searchable
 */
export function compileFilter(filter: Filter | string): FilterQuery {
  return compile(typeof filter === 'string' ? parseFilter(filter) : filter);
}

function compile(filter: Filter): FilterQuery {
  switch (filter.kind) {
    case 'and':
      return { $and: besideEquality(filter.operands.map(compile)) };
    case 'or':
      return { $or: filter.operands.map(compile) };
    case 'not':
      return { $nor: [compile(filter.operand)] };
    case 'present':
      return compilePresent(filter.name);
    case 'compare':
      return compileTest(filter);
    case 'element':
      return compileElement(filter.filter, findAttribute(filter.name), filter.name);
  }
}

function compilePresent(name: string): FilterQuery {
  const path = requireAttribute(name);
  const rule = (path.sub ?? path.attribute).search;
  return rule === undefined ? presentStored(name, path) : { [rule.field]: { $exists: true } };
}

function compileTest(filter: Comparison): FilterQuery {
  const path = requireAttribute(filter.name);
  const { attribute, sub } = path;
  // Keys that join type and value serve the type alone too.
  if (namesIndexedType(path) && filter.operator === 'eq')
    return compileElement({ ...filter, name: 'type' }, { attribute }, filter.name);
  const target = sub ?? attribute;
  if (target.search === undefined) return compileStored(filter, path);
  return compileComparison(filter, { type: target.type, rule: target.search, many: attribute.multiValued });
}

function requireAttribute(name: string): AttributePath {
  const path = findAttribute(name);
  if (path !== undefined) return path;
  throw new AppError(scimErrors.filterUnsupported, { detail: `${name} cannot be used in filters` });
}
