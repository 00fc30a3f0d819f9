import { withoutCoreUserUrn } from '../protocol/urns.js';
import type { Attribute } from './attribute.js';
import { allUserAttributes, userExtension } from './user-attributes.js';

/** The attribute, and perhaps the sub-attribute, of a name such as `title` or `name.givenName`. */
export interface AttributePath {
  readonly attribute: Attribute;
  readonly sub?: Attribute;
}

const paths = new Map<string, AttributePath>();
for (const attribute of allUserAttributes) {
  paths.set(attribute.name.toLowerCase(), { attribute });
  // A colon follows the URN of a schema (RFC 7644 section 3.10).
  const separator = attribute === userExtension ? ':' : '.';
  for (const sub of attribute.subAttributes ?? []) {
    paths.set(`${attribute.name}${separator}${sub.name}`.toLowerCase(), { attribute, sub });
  }
}

/** Finds a User attribute by its name in any letter case, with or without the schema's URN (RFC 7644 section 3.10). */
export function findAttribute(name: string): AttributePath | undefined {
  return paths.get(withoutCoreUserUrn(name).toLowerCase());
}
