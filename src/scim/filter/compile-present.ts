import type { ResourceQuery } from '#src/people/queries/index.js';
import { type AttributePath, type ResourceSchema, targetOf } from '../schema/resource-schema.js';
import { compileAnyRelated, relationOf } from './compile-relation.js';
import { presentStored } from './compile-stored.js';

/**
 * Compiles `pr`. A complex attribute is present if one of its parts is (RFC 7644 table 3).
 * @param name as the client wrote it
 * @throws AppError `scim.filterUnsupported`
 */
export function compilePresent(name: string, path: AttributePath, schema: ResourceSchema): ResourceQuery {
  const { attribute, sub, leaf } = path;
  // The service adds the address of a manager to its identifier.
  if (leaf?.name === '$ref' && sub !== undefined) return compilePresent(name, { attribute, sub }, schema);
  const related = relationOf(attribute, name);
  if (related !== undefined) return compileAnyRelated(related);
  const target = targetOf(path);
  const { search: rule } = target;
  if (rule !== undefined && !rule.isShared)
    return { kind: 'present', field: rule.field, written: { name, operator: 'pr' } };
  // The response has `name.formatted` if any part of the name is stored.
  const isSet = attribute.type === 'complex' && !attribute.multiValued;
  const isWhole = sub === undefined || (attribute.name === 'name' && sub.name === 'formatted');
  if (isSet && isWhole && attribute.mutability !== 'readOnly') {
    const subs = attribute.subAttributes ?? [];
    const operands = subs.map((one) => presentStored(name, { attribute, sub: one }, schema));
    return { kind: 'composed', where: { kind: 'or', operands }, written: { name, operator: 'pr' } };
  }
  return presentStored(name, path, schema);
}
