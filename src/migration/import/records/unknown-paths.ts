import type { TSchema } from 'typebox';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { isUnassigned, withoutUnassigned } from '../lists/shared/without-unassigned.js';

/** The most paths that one record names. */
const maxPaths = 100;
const maxKeyLength = 100;

/** The parts of a schema that say which keys a value may have. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * Finds the values that no property of a schema names, such as `user.profile.maidenName` or `user.scim.emails[].proof`. An
 * import has no use for them. Unassigned values are no loss. Each path is named once. Long keys
 * are cut.
 * @param schema of objects, arrays and scalar values
 */
export function unknownPaths(value: unknown, schema: TSchema): string[] {
  // Most records have none, and to look costs less than to name.
  if (!hasUnnamed(value, schema)) return [];
  const paths = new Set<string>();
  collect(value, schema, { paths, path: '' });
  return [...paths];
}

/** Whether an object has a key that no property of its schema names, with whatever value. */
function hasUnnamed(value: unknown, { items, properties }: Shape): boolean {
  if (Array.isArray(value)) return items !== undefined && value.some((item) => hasUnnamed(item, items));
  if (!isJsonObject(value) || properties === undefined) return false;
  for (const key of Object.keys(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known === undefined || hasUnnamed(value[key], known)) return true;
  }
  return false;
}

function collect(
  value: unknown,
  shape: Shape,
  at: { readonly paths: Set<string>; readonly path: string },
): void {
  const { paths, path } = at;
  if (Array.isArray(value)) {
    const { items } = shape;
    if (items !== undefined) for (const item of value) collect(item, items, { paths, path: `${path}[]` });
    return;
  }
  const { properties } = shape;
  if (!isJsonObject(value) || properties === undefined) return;
  for (const [key, item] of Object.entries(value)) {
    const place = `${path === '' ? '' : `${path}.`}${key.slice(0, maxKeyLength)}`;
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known !== undefined) collect(item, known, { paths, path: place });
    else if (paths.size < maxPaths && !isUnassigned(withoutUnassigned(item))) paths.add(place);
  }
}
