import { FilterParser } from '../filter/parse.js';
import { scimErrors } from '../protocol/errors.js';
import { subAttributeOf } from '../schema/attribute.js';
import { type AttributePath, findAttribute } from '../schema/find-attribute.js';
import { badPath, compileSelector } from './compile-selector.js';
import type { PatchPath } from './operation.js';

const maxLength = 1000;

/**
 * Parses `attribute`, `attribute.part`, `attribute[filter]` and `attribute[filter].part`
 * (RFC 7644 section 3.5.2).
 * @throws AppError `scim.badPath` if the path is malformed or names an unknown attribute
 */
export function parsePath(text: string): PatchPath {
  if (text.length > maxLength) throw badPath(`The path has more than ${maxLength} characters`);
  const parser = new FilterParser(text, scimErrors.badPath);
  const name = parser.expect('word');
  const target = findAttribute(name);
  if (target === undefined) throw badPath(`There is no attribute ${name}`);
  if (parser.take('[') === undefined) {
    parser.expectEnd();
    return target;
  }
  const filter = parser.elementFilter();
  const suffix = parser.take('suffix');
  parser.expectEnd();
  return { ...selectable(target, suffix), selector: compileSelector(filter, target.attribute) };
}

function selectable({ attribute, sub }: AttributePath, suffix: string | undefined): AttributePath {
  if (sub !== undefined || !attribute.multiValued)
    throw badPath('Only multi-valued attributes take a filter');
  if (suffix === undefined) return { attribute };
  const part = subAttributeOf(attribute, suffix);
  if (part === undefined) throw badPath(`${attribute.name} has no ${suffix}`);
  return { attribute, sub: part };
}
