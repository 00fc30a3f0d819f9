import { isDeepStrictEqual } from 'node:util';
import type { DocumentNode } from '../../base/description.js';

/**
 * One schema that every value of the given ones fits: of objects, one with the properties of all, of which those are required that all
 * require. Of texts, one with the values of all. Schemas of different types become one that says nothing.
 * @param schemas plain ones, without references
 */
export function mergeSchemas(schemas: readonly DocumentNode[]): DocumentNode {
  const [first = {}] = schemas;
  const { type } = first;
  if (schemas.every((one) => isDeepStrictEqual(one, first))) return first;
  if (type === undefined || schemas.some((one) => one['type'] !== type)) return {};
  if (type === 'object') return mergeObjects(schemas);
  const values = schemas.map((one) => one['enum'] as readonly string[] | undefined);
  const isOpen = type !== 'string' || values.some((one) => one === undefined);
  return {
    ...('description' in first && { description: first['description'] }),
    type,
    ...(type === 'array' && { items: mergeSchemas(schemas.map((one) => one['items'] as DocumentNode)) }),
    ...(!isOpen && { enum: [...new Set(values.flatMap((one) => one ?? []))] }),
  };
}

function mergeObjects(schemas: readonly DocumentNode[]): DocumentNode {
  const all = schemas.map((one) => (one['properties'] ?? {}) as Readonly<Record<string, DocumentNode>>);
  const names = [...new Set(all.flatMap((properties) => Object.keys(properties)))];
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      mergeSchemas(all.flatMap((given) => (given[name] === undefined ? [] : [given[name]]))),
    ]),
  );
  const required = names.filter((name) =>
    schemas.every((one) => ((one['required'] ?? []) as readonly string[]).includes(name)),
  );
  return {
    type: 'object',
    ...(names.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...((names.length === 0 || schemas.some((one) => 'additionalProperties' in one)) && {
      additionalProperties: true,
    }),
  };
}
