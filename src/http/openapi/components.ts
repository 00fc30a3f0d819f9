import { isDeepStrictEqual } from 'node:util';
import { type DocumentNode, type JsonSchema, keywordsOf } from '../base/description.js';

/** Keywords whose value is a schema. */
const single = ['items', 'contains', 'additionalProperties', 'not', 'if', 'then', 'else', 'propertyNames'];
/** Keywords whose value is a list of schemas. */
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
/** Keywords whose value has a schema under each key. */
const maps = ['properties', 'patternProperties', 'dependentSchemas'];

/** The schemas that several operations share, by name. */
export interface Components {
  readonly schemas: Readonly<Record<string, DocumentNode>>;
  /**
   * The schema in the form of the document. A schema with a title becomes a component, and a reference takes its place. What
   * `ruled` says counts as if the schema said it.
   */
  register(schema: JsonSchema): JsonSchema;
}

/** @throws Error later, if two different schemas have the same title */
export function createComponents(): Components {
  const schemas: Record<string, DocumentNode> = {};
  const registered = new Map<JsonSchema, JsonSchema>();
  const register = (schema: JsonSchema): JsonSchema => {
    // JSON Schema allows true and false too.
    if (typeof schema !== 'object') return schema;
    const known = registered.get(schema);
    if (known !== undefined) return known;
    const plain = inner(schema);
    const { title } = plain;
    const made = typeof title === 'string' ? share(title, plain) : plain;
    registered.set(schema, made);
    return made;
  };
  const share = (title: string, plain: DocumentNode): DocumentNode => {
    const before = schemas[title];
    if (before !== undefined && !isDeepStrictEqual(before, plain))
      throw new Error(`Two schemas have the title ${title}`);
    schemas[title] = plain;
    return { $ref: `#/components/schemas/${title}` };
  };
  const inner = (schema: JsonSchema): DocumentNode => {
    const { ruled, ...keywords } = keywordsOf(schema);
    const result: Record<string, unknown> = { ...keywords, ...(ruled as DocumentNode | undefined) };
    const change = (keywords: readonly string[], registerAll: (value: never) => unknown) => {
      for (const keyword of keywords) {
        if (result[keyword] !== undefined) result[keyword] = registerAll(result[keyword] as never);
      }
    };
    change(single, register);
    change(lists, (all: readonly JsonSchema[]) => all.map(register));
    change(maps, (all: Readonly<Record<string, JsonSchema>>) =>
      Object.fromEntries(Object.entries(all).map(([name, one]) => [name, register(one)])),
    );
    return isAnyObject(result) ? { ...result, additionalProperties: true } : result;
  };
  return { schemas, register };
}

/**
 * Whether an object may have any properties. The document says so, although JSON Schema does not ask for it, because generators of
 * clients make an object without properties of a schema that names none.
 */
function isAnyObject(schema: DocumentNode): boolean {
  return (
    schema['type'] === 'object' && ![...maps, ...lists, 'additionalProperties'].some((key) => key in schema)
  );
}
