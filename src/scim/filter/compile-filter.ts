import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { findAttribute } from '../schema/find-attribute.js';
import type { Filter } from './ast.js';
import { compileComparison } from './compile-comparison.js';
import { compileElement } from './compile-element.js';
import { parseFilter } from './parse.js';
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
      return { $and: filter.operands.map(compile) };
    case 'or':
      return { $or: filter.operands.map(compile) };
    case 'not':
      return { $nor: [compile(filter.operand)] };
    case 'present':
      return { [searchable(filter.name).rule.field]: { $exists: true } };
    case 'compare':
      return compileComparison(filter, searchable(filter.name));
    case 'element':
      return compileElement(filter.filter, findAttribute(filter.name), filter.name);
  }
}

function searchable(name: string) {
  const path = findAttribute(name);
  const target = path?.sub ?? path?.attribute;
  if (path === undefined || target?.search === undefined) {
    throw new AppError(scimErrors.filterUnsupported, { detail: `${name} cannot be used in filters` });
  }
  return { type: target.type, rule: target.search, many: path.attribute.multiValued };
}
