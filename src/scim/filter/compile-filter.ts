import type { ResourceQuery } from '#src/people/queries/index.js';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { type AttributePath, isNaming, type ResourceSchema, targetOf } from '../schema/resource-schema.js';
import type { AttributeExpression, Filter } from './ast.js';
import { compileClientExternalId, isClientExternalId } from './compile-client-external-id.js';
import { compileComparison } from './compile-comparison.js';
import { compileElement } from './compile-element.js';
import { compileNameFormatted, isNameFormatted } from './compile-name-formatted.js';
import { compilePresent } from './compile-present.js';
import { compileRelatedPart, relationOf } from './compile-relation.js';
import { compileStored } from './compile-stored.js';
import { parseFilter } from './parse.js';

/**
 * Compiles a filter to a query for the stores (RFC 7644 section 3.4.2.2). `ne` and `not` also select users without the
 * attribute. On a multi-valued attribute `ne` means that no value is equal.
 * @throws AppError with scimType invalidFilter if the filter is malformed or names an attribute that is not searchable
 */
export function compileFilter(filter: Filter | string, schema: ResourceSchema): ResourceQuery {
  return compile(typeof filter === 'string' ? parseFilter(filter) : filter, schema);
}

function compile(filter: Filter, schema: ResourceSchema): ResourceQuery {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map((operand) => compile(operand, schema)) };
    case 'not':
      return { kind: 'not', operand: compile(filter.operand, schema) };
    case 'present': {
      const path = requireAttribute(filter.name, schema);
      if (isClientExternalId(path, schema)) return compileClientExternalId(filter, schema);
      return compilePresent(filter.name, path, schema);
    }
    case 'compare':
      return compileTest(filter, schema);
    case 'element':
      return compileElement(filter.filter, schema.find(filter.name), filter.name);
  }
}

function compileTest(filter: AttributeExpression, schema: ResourceSchema): ResourceQuery {
  const path = requireAttribute(filter.name, schema);
  const { attribute, sub } = path;
  const target = targetOf(path);
  const { search } = target;
  const related = relationOf(attribute, filter.name);
  if (related !== undefined && search === undefined) return compileRelatedPart(filter, sub, related);
  if (isClientExternalId(path, schema)) return compileClientExternalId(filter, schema);
  if (isNameFormatted(path)) return compileNameFormatted(filter, schema);
  if (attribute.multiValued && sub?.type === 'boolean') return compileFlag(filter, { attribute, sub });
  const isStored = search?.isShared && !search.operators.includes(filter.operator);
  if (search === undefined || isStored) return compileStored(filter, path, schema);
  return compileComparison(filter, {
    type: target.type,
    rule: search,
    isList: attribute.multiValued,
    isNaming: isNaming(path),
  });
}

/** `emails.primary eq false` means `emails[primary eq false]`. So a value without the flag counts. */
function compileFlag(
  filter: AttributeExpression,
  { attribute, sub }: Required<Pick<AttributePath, 'attribute' | 'sub'>>,
): ResourceQuery {
  const inner = { ...filter, name: sub.name };
  if (filter.operator !== 'ne') return compileElement(inner, { attribute }, attribute.name);
  return {
    kind: 'not',
    operand: compileElement({ ...inner, operator: 'eq' }, { attribute }, attribute.name),
  };
}

function requireAttribute(name: string, schema: ResourceSchema): AttributePath {
  const path = schema.find(name);
  if (path !== undefined) return path;
  throw new AppError(scimErrors.filterUnsupported, { detail: `${name} cannot be used in filters` });
}
