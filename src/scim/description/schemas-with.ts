import type { JsonSchema } from '#src/http/base/description.js';

/** The attribute `schemas` of a resource or a message: an array that names a schema, perhaps among others. */
export function schemasWith(urn: string): JsonSchema {
  return {
    type: 'array',
    description: `Contains ${urn}`,
    items: { type: 'string' },
    contains: { const: urn },
    examples: [[urn]],
  };
}
