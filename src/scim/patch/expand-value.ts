import type { JsonObject } from '#src/platform/json/json-object.js';
import { requireJsonObject } from '../protocol/json.js';
import type { JsonTexts } from '../protocol/json-text.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { soleObject, withoutJsonTexts } from './json-text-values.js';
import type { PatchOperation } from './operation.js';
import type { PathReader } from './parse-path.js';

/** What reads the operations of one request. */
export interface PatchReader {
  readonly schema: ResourceSchema;
  /** Parses a path, within the limits of the request. */
  readonly readPath: PathReader;
  readonly texts: JsonTexts;
}

/**
 * Turns an operation without a path into one operation for each member of its value. A name may be dotted
 * (`name.givenName`), have a filter, or stand under the URN of the schema. Unknown and read-only attributes are ignored, as
 * in a whole resource.
 * @throws AppError `scim.badPath` if the filter in a name is malformed, `scim.wrongType` if no object stands under the URN of the schema
 */
export function expandValue(
  op: PatchOperation['op'],
  value: JsonObject,
  { schema, readPath, texts }: PatchReader,
): PatchOperation[] {
  return Object.entries(value)
    .flatMap(([name, part]) => {
      if (!schema.isUrn(name)) return [[name, part] as const];
      const inner = soleObject(part, texts);
      return inner === null || inner === '' ? [] : Object.entries(requireJsonObject(inner, name));
    })
    .flatMap(([name, part]) => {
      const [attributeName = name] = name.split('[', 1);
      const target = schema.find(attributeName);
      if (target === undefined || target.attribute.mutability === 'readOnly') return [];
      const path = readPath(name);
      return path === undefined ? [] : [{ op, path, value: withoutJsonTexts(path, part, texts) }];
    });
}
