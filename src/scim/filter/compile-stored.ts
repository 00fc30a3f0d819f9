import type { LeafCondition } from '#src/people/queries/index.js';
import { isWritten, subAttributeOf } from '../schema/attribute.js';
import type { AttributePath, ResourceSchema } from '../schema/resource-schema.js';
import type { AttributeExpression } from './ast.js';
import { unsupported } from './compile-comparison.js';
import { holdsForConstant } from './constant.js';
import { storedCondition } from './element-condition.js';

/** The text of an attribute that is the same for every resource of the type. Undefined for all other attributes. */
function sameForAll(path: AttributePath, schema: ResourceSchema): string | undefined {
  const name = fullName(path);
  if (name === 'schemas') return schema.urn;
  return name === 'meta.resourceType' ? schema.name : undefined;
}

/**
 * Compiles a comparison of an attribute without search keys. No index serves it: MongoDB reads every user of the
 * organization.
 * @throws AppError `scim.filterUnsupported` if the attribute is not stored, or does not support the operator
 */
export function compileStored(
  comparison: AttributeExpression,
  path: AttributePath,
  schema: ResourceSchema,
): LeafCondition {
  const constant = sameForAll(path, schema);
  if (constant !== undefined) {
    const holds = holdsForConstant(comparison, path.sub ?? path.attribute, constant);
    return { kind: holds ? 'all' : 'none', written: comparison };
  }
  const { attribute, sub } = storedPath(comparison, path, schema);
  const compared = sub ?? subAttributeOf(attribute, 'value') ?? attribute;
  if (compared.type === 'complex') throw unsupported(comparison, `does not support ${comparison.operator}`);
  const field = compared === attribute ? attribute.name : `${attribute.name}.${compared.name}`;
  return storedCondition(comparison, compared, { field, isList: attribute.multiValued });
}

/** Compiles `pr` of an attribute without search keys. @throws AppError `scim.filterUnsupported` */
export function presentStored(name: string, path: AttributePath, schema: ResourceSchema): LeafCondition {
  const written = { name, operator: 'pr' };
  // Every resource has `schemas` and each part of `meta` (RFC 7643 section 3.1).
  const isOfAll = sameForAll(path, schema) !== undefined || path.attribute.name === 'meta';
  if (isOfAll) return { kind: 'all', written };
  return { kind: 'present', field: fullName(storedPath({ name }, path, schema)), written };
}

function storedPath(
  named: { name: string },
  path: AttributePath,
  { core, extensions }: ResourceSchema,
): AttributePath {
  const { attribute, sub, leaf } = path;
  if (leaf !== undefined && !isWritten(leaf)) throw unsupported(named, 'cannot be used in filters');
  if (extensions.includes(attribute) && sub !== undefined) {
    if (sub.key !== undefined) return { attribute: { ...sub, name: `extensions.${sub.key}` } };
    // Of a complex one, only its value is stored, under its own name.
    const stored = subAttributeOf(sub, 'value');
    return { attribute: stored === undefined ? sub : { ...stored, name: sub.name } };
  }
  const isStored = core.includes(attribute) && attribute.returned !== 'never';
  const isOne = attribute.type === 'complex' && !attribute.multiValued && sub === undefined;
  if (!isStored || isOne || attribute.search?.relation !== undefined)
    throw unsupported(named, 'cannot be used in filters');
  return path;
}

function fullName({ attribute, sub }: AttributePath): string {
  return sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;
}
