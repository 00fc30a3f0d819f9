import { type DocumentNode, type JsonSchema, keywordsOf } from '../../base/description.js';
import { mergeSchemas } from './merge-schemas.js';

/** Where a schema stands. */
export interface SchemaContext {
  /** The schemas to which references lead, by name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Whether a client reads such values. What it reads may grow, and what it writes has the form that the service prefers. */
  readonly isRead: boolean;
  /** Whether null says something: in what a client reads, and in a change, where it takes a value away. Elsewhere it is as if it were absent. */
  readonly hasNull: boolean;
}

const refPrefix = '#/components/schemas/';

/** The name of the schema to which a reference leads. */
export function referredName(ref: unknown): string | undefined {
  return typeof ref === 'string' && ref.startsWith(refPrefix) ? ref.slice(refPrefix.length) : undefined;
}

/**
 * A schema in the words of OpenAPI 3.0 that generators of clients understand: one type, its properties, its items and its values. Rules
 * about values (patterns, lengths, bounds, conditions) are left out. The service checks them, and a client stays right when one changes.
 * @returns undefined if no value fits the schema
 */
export function plainSchema(schema: JsonSchema, context: SchemaContext): DocumentNode | undefined {
  if (typeof schema !== 'object') return schema ? {} : undefined;
  const keywords = keywordsOf(schema);
  if (referredName(keywords['$ref']) !== undefined) return { $ref: keywords['$ref'] };
  const type = typeOf(keywords, context);
  if (type === undefined) return plainUnion(keywords, context);
  return {
    ...explanation(keywords, context),
    type,
    ...(context.hasNull && typesOf(keywords).includes('null') && { nullable: true }),
    ...details(type, keywords, context),
  };
}

function details(type: string, keywords: DocumentNode, context: SchemaContext): DocumentNode {
  switch (type) {
    case 'object':
      return plainObject(keywords, context);
    case 'array':
      return { items: itemsOf(keywords['items'] as JsonSchema | undefined, context) };
    // Without a format, generators take numbers of 32 bits.
    case 'integer':
      return { format: 'int64' };
    case 'number':
      return { format: 'double' };
    case 'string':
      return plainText(keywords, context);
    default:
      return {};
  }
}

/** Lists have no null in them, even where the service passes over it. */
function itemsOf(items: JsonSchema | undefined, context: SchemaContext): DocumentNode {
  const { nullable: _, ...plain } = (items && plainSchema(items, context)) ?? {};
  return plain;
}

function plainText(keywords: DocumentNode, { isRead }: SchemaContext): DocumentNode {
  if (keywords['format'] === 'date-time') return { format: 'date-time' };
  const values = valuesOf(keywords);
  return values.length === 0 || isRead ? {} : { enum: values };
}

/** The texts that a schema allows. Of those that differ in letter case only, and have the same name in a program, it has the first. */
function valuesOf({ enum: values, const: value }: DocumentNode): string[] {
  const all = Array.isArray(values) ? values : [value];
  const texts = all.filter((one): one is string => typeof one === 'string' && one !== '');
  const lower = texts.map((text) => text.toLowerCase());
  return texts.filter((text, at) => lower.indexOf(text.toLowerCase()) === at);
}

/** The description, with what the other keywords say and generators would make too strict. */
function explanation(keywords: DocumentNode, { isRead }: SchemaContext): DocumentNode {
  const values = isRead ? valuesOf(keywords) : [];
  const fallback = keywords['default'];
  const sentences = [
    ...(typeof keywords['description'] === 'string' ? [keywords['description']] : []),
    ...(values.length > 0 ? [`Such as ${values.map((value) => `\`${value}\``).join(', ')}`] : []),
    ...(fallback === undefined ? [] : [`If absent: \`${[fallback].flat().join(' ')}\``]),
  ];
  return sentences.length === 0 ? {} : { description: sentences.join('. ') };
}

function plainObject(keywords: DocumentNode, context: SchemaContext): DocumentNode {
  const given = Object.entries((keywords['properties'] ?? {}) as Record<string, JsonSchema>);
  const properties = Object.fromEntries(
    given.flatMap(([name, one]) => {
      const plain = plainSchema(one, context);
      return plain === undefined ? [] : [[name, plain] as const];
    }),
  );
  const names = Object.keys(properties);
  const required = ((keywords['required'] ?? []) as string[]).filter((name) => names.includes(name));
  // Clients in Go and Java fail at a field that they do not know, unless there may be others.
  const isOpen = context.isRead || names.length === 0;
  const others = othersOf(keywords, context) ?? (isOpen ? true : undefined);
  return {
    ...(names.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(others !== undefined && { additionalProperties: others }),
  };
}

/** What the properties may be that the schema does not name. */
function othersOf(keywords: DocumentNode, context: SchemaContext): DocumentNode | true | undefined {
  const patterns = Object.values((keywords['patternProperties'] ?? {}) as Record<string, JsonSchema>);
  const others = (keywords['additionalProperties'] ?? patterns[0]) as JsonSchema | undefined;
  if (others === undefined) return undefined;
  const plain = plainSchema(others, context);
  return plain !== undefined && Object.keys(plain).length === 0 ? true : plain;
}

/** A schema without a type of its own: the common type of the schemas in it. */
function plainUnion(keywords: DocumentNode, context: SchemaContext): DocumentNode {
  const all = [...branchesOf(keywords, 'anyOf'), ...branchesOf(keywords, 'oneOf')];
  const branches = all.filter((one) => keywordsOf(one)['type'] !== 'null');
  const isNullable = context.hasNull && branches.length < all.length;
  const about = explanation(keywords, context);
  const [first] = branches;
  if (first === undefined) return about;
  const plain = branches.length === 1 ? plainSchema(first, context) : merged(branches, context);
  if (plain === undefined) return about;
  const isReference = '$ref' in plain;
  if (isReference && (isNullable || 'description' in about))
    return { ...about, ...(isNullable && { nullable: true }), allOf: [plain] };
  return { ...plain, ...about, ...(isNullable && 'type' in plain && { nullable: true }) };
}

/** One schema in context of several. A value of any of them fits it. An object of one of several named schemas says only which. */
function merged(branches: readonly JsonSchema[], context: SchemaContext): DocumentNode {
  const names = branches.map((one) => referredName(keywordsOf(one)['$ref']));
  if (context.isRead && names.every((name) => name !== undefined))
    return { type: 'object', description: `One of ${names.join(', ')}`, additionalProperties: true };
  const resolve = (plain: DocumentNode): DocumentNode => {
    const schema = context.components[referredName(plain['$ref']) ?? ''];
    return schema === undefined ? plain : (plainSchema(schema, context) ?? {});
  };
  const plain = branches.flatMap((one) => {
    const made = plainSchema(one, context);
    return made === undefined ? [] : [resolve(made)];
  });
  return mergeSchemas(plain);
}

function branchesOf(keywords: DocumentNode, keyword: string): readonly JsonSchema[] {
  return (keywords[keyword] ?? []) as readonly JsonSchema[];
}

/**
 * The one type of a schema. Of several that a client may write, it is the form that the document names first, or the object with the
 * properties. A client that reads has to take them all.
 */
function typeOf(keywords: DocumentNode, { isRead }: SchemaContext): string | undefined {
  const types = typesOf(keywords).filter((type) => type !== 'null');
  if (isRead && types.length > 1) return undefined;
  return types.includes('object') && 'properties' in keywords ? 'object' : types[0];
}

function typesOf(keywords: DocumentNode): string[] {
  const { type, enum: values, const: value } = keywords;
  if (type !== undefined) return [type].flat() as string[];
  const all = Array.isArray(values) ? values : value === undefined ? [] : [value];
  if (all.length > 0) return [...new Set(all.map((one) => (one === null ? 'null' : typeof one)))];
  return 'properties' in keywords || 'patternProperties' in keywords ? ['object'] : [];
}
