import { urns } from '../protocol/urns.js';
import { subAttributeOf } from '../schema/attribute.js';
import type { AttributePath } from '../schema/find-attribute.js';
import { userAttributes, userExtension } from '../schema/user-attributes.js';
import type { Comparison } from './ast.js';
import { unsupported } from './compile-comparison.js';
import { storedCondition } from './element-condition.js';
import type { FilterQuery } from './text-query.js';

const everybody: FilterQuery = { _id: { $exists: true } };
const nobody: FilterQuery = { _id: { $exists: false } };

/** Attributes that have the same value for every user. */
const sameForAll: Readonly<Record<string, string>> = { schemas: urns.user, 'meta.resourceType': 'User' };

/** Stored in another form than clients see. */
const storedElsewhere: ReadonlySet<string> = new Set(['name.formatted']);

/** The text of an attribute that is the same for every user. Undefined for all other attributes. */
export function sameForAllUsers(path: AttributePath): string | undefined {
  return sameForAll[fullName(path)];
}

/**
 * Compiles a comparison of an attribute without search keys. No index serves it: MongoDB reads every user of the
 * organization.
 * @throws AppError `scim.filterUnsupported` if the attribute is not stored, or does not support the operator
 */
export function compileStored(comparison: Comparison, path: AttributePath): FilterQuery {
  const constant = sameForAllUsers(path);
  if (constant !== undefined) return compareConstant(comparison, path, constant);
  const { attribute, sub } = storedPath(comparison, path);
  const compared = sub ?? subAttributeOf(attribute, 'value') ?? attribute;
  if (compared.type === 'complex') throw unsupported(comparison, `does not support ${comparison.operator}`);
  const field = compared === attribute ? attribute.name : `${attribute.name}.${compared.name}`;
  return storedCondition(comparison, compared, { field });
}

/** Compiles `pr` of an attribute without search keys. @throws AppError `scim.filterUnsupported` */
export function presentStored(name: string, path: AttributePath): FilterQuery {
  if (sameForAllUsers(path) !== undefined) return everybody;
  return { [fullName(storedPath({ name }, path))]: { $exists: true } };
}

function compareConstant(comparison: Comparison, path: AttributePath, constant: string): FilterQuery {
  const field = 'value';
  const condition = storedCondition(comparison, { ...(path.sub ?? path.attribute), name: field }, { field });
  const isTrue = (query: FilterQuery): boolean => {
    const [negated] = (query['$nor'] as FilterQuery[] | undefined) ?? [];
    if (negated !== undefined) return !isTrue(negated);
    const { $regex, $options } = query[field] as { $regex: string; $options?: string };
    return new RegExp($regex, $options ?? '').test(constant);
  };
  return isTrue(condition) ? everybody : nobody;
}

function storedPath(named: { name: string }, path: AttributePath): AttributePath {
  const { attribute, sub } = path;
  if (attribute === userExtension && sub !== undefined) return { attribute: sub };
  const isStored = userAttributes.includes(attribute) && attribute.returned !== 'never';
  const isOne = attribute.type === 'complex' && !attribute.multiValued && sub === undefined;
  if (!isStored || isOne || storedElsewhere.has(fullName(path)))
    throw unsupported(named, 'cannot be used in filters');
  return path;
}

function fullName({ attribute, sub }: AttributePath): string {
  return sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;
}
