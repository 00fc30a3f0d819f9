import { FilterParser } from '../filter/parse.js';
import { scimErrors } from '../protocol/errors.js';
import { isWritten, subAttributeOf } from '../schema/attribute.js';
import type { AttributePath, ResourceSchema } from '../schema/resource-schema.js';
import { badPath, compileSelector } from './compile-selector.js';
import type { PatchPath } from './operation.js';

const maxLength = 1000;

/** Calls {@link parsePath} within the limits of a request. */
export type PathReader = (text: string) => PatchPath | undefined;

/**
 * Parses `attribute`, `attribute.part`, `attribute[filter]` and `attribute[filter].part`
 * (RFC 7644 section 3.5.2).
 * @returns undefined if a sub-attribute is unknown, or is what the service itself says about a manager. Such parts are ignored, as
 * in a whole resource
 * @throws AppError `scim.badPath` if the path is malformed or names an unknown attribute
 */
export function parsePath(text: string, schema: ResourceSchema): PatchPath | undefined {
  if (text.length > maxLength) throw badPath(`The path has more than ${maxLength} characters`);
  const parser = new FilterParser(text, scimErrors.badPath);
  const name = parser.expect('word');
  const target: AttributePath & { readonly isUnknownSub?: true } =
    schema.find(name) ?? parentOf(name, schema);
  if (parser.take('[') === undefined) {
    parser.expectEnd();
    const isIgnored = target.isUnknownSub || (target.leaf !== undefined && !isWritten(target.leaf));
    return isIgnored ? undefined : target;
  }
  const filter = parser.elementFilter();
  const suffix = parser.take('suffix');
  parser.expectEnd();
  const { attribute, sub, isUnknownSub } = target;
  if (sub !== undefined || isUnknownSub || attribute.type !== 'complex' || !attribute.multiValued)
    throw badPath('Only multi-valued attributes take a filter');
  const selector = compileSelector(filter, attribute);
  const part = suffix === undefined ? undefined : subAttributeOf(attribute, suffix);
  if (selector === undefined || (suffix !== undefined && part === undefined)) return undefined;
  return { attribute, ...(part && { sub: part }), selector };
}

/** The complex attribute of which a name such as `emails.unknown` names an unknown part. @throws AppError `scim.badPath` */
function parentOf(name: string, schema: ResourceSchema): AttributePath & { readonly isUnknownSub: true } {
  const [, parent, part] = /^(.+)\.([A-Za-z_$][\w$-]*)$/.exec(name) ?? [];
  const path = parent === undefined || part === undefined ? undefined : schema.find(parent);
  if (path?.attribute.type !== 'complex' || path.sub !== undefined)
    throw badPath(`There is no attribute ${name}`);
  return { attribute: path.attribute, isUnknownSub: true };
}
