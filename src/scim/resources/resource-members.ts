import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { requireJsonObject } from '../protocol/json.js';
import type { AttributePath, ResourceSchema } from '../schema/resource-schema.js';

/**
 * The members of the body of a user or a group by lower-case name: names in SCIM are case-insensitive (RFC 7643 section 2.1). As in a PATCH
 * without a path, the attributes of the schema may stand in an object under its URN, and a name may be a whole path that begins with a
 * URN (RFC 7644 section 3.10), such as `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department`. Of several members for
 * one attribute the last counts. The path of a part of an object (`name.givenName`) counts before the object, wherever it stands. A path into a
 * list is ignored.
 * @throws AppError `scim.wrongType` if a text, a number or a list stands under the URN of the schema
 */
export function resourceMembers(body: JsonObject, schema: ResourceSchema): Map<string, unknown> {
  const members = new Map<string, unknown>();
  const nested: [AttributePath, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    const key = name.toLowerCase();
    if (!/[:.]/.test(key)) members.set(key, value);
    else if (schema.isUrn(name)) addInner({ members, nested, schema }, name, value);
    else addPath({ members, nested, schema }, name, value);
  }
  if (nested.length > 0) addNested(members, nested);
  return members;
}

/** What was read of a body. */
interface Read {
  readonly members: Map<string, unknown>;
  readonly nested: [AttributePath, unknown][];
  readonly schema: ResourceSchema;
}

/** Adds a name that is a whole path. */
function addPath({ members, nested, schema }: Read, name: string, value: unknown): void {
  const path = schema.find(name);
  if (path?.sub !== undefined) nested.push([path, value]);
  else if (path !== undefined) members.set(path.attribute.name.toLowerCase(), value);
}

/** Adds what stands under the URN of the schema. `schemas` belongs to the resource itself. */
function addInner(read: Read, urn: string, value: unknown): void {
  if (value === undefined || value === null || value === '') return;
  for (const [name, leaf] of Object.entries(requireJsonObject(value, urn))) {
    const key = name.toLowerCase();
    if (key.includes('.')) addPath(read, name, leaf);
    else if (key !== 'schemas') read.members.set(key, leaf);
  }
}

/** Adds the parts of complex attributes. The body stays as it was, because a Bulk may read it again. */
function addNested(members: Map<string, unknown>, nested: readonly [AttributePath, unknown][]): void {
  const copies = new Set<unknown>();
  /** The copy of an object. There is one of each, so that many parts of a large object stay cheap. Undefined for what is no object. */
  const copyOf = (value: unknown): JsonObject | undefined => {
    if (copies.has(value)) return value as JsonObject;
    const isAbsent = value === undefined || value === null || value === '';
    if (!isAbsent && !isJsonObject(value)) return undefined;
    const copy = isAbsent ? {} : { ...value };
    copies.add(copy);
    return copy;
  };
  for (const [{ attribute, sub, leaf }, value] of nested) {
    const outer = attribute.multiValued ? undefined : copyOf(members.get(attribute.name.toLowerCase()));
    if (sub === undefined || outer === undefined) continue;
    members.set(attribute.name.toLowerCase(), outer);
    const inner = leaf === undefined ? undefined : copyOf(outer[sub.name]);
    if (leaf === undefined) outer[sub.name] = value;
    else if (inner !== undefined) outer[sub.name] = Object.assign(inner, { [leaf.name]: value });
  }
}
