/** The types of values (RFC 7643 section 2.3) that an organization may give its attributes. */
export const extensionTypes = ['string', 'boolean', 'integer', 'decimal', 'dateTime', 'reference'] as const;
export type ExtensionType = (typeof extensionTypes)[number];

/** A value of an attribute. A `dateTime` is a text in UTC, as `Date.toISOString` writes it. */
export type ExtensionValue = string | number | boolean | readonly string[];

/** The values of a user by the {@link ExtensionAttribute.key} of their attributes. */
export type ExtensionValues = Readonly<Record<string, ExtensionValue>>;

/** An attribute of users that an organization has registered. */
export interface ExtensionAttributeSettings {
  /** RFC 7643 section 2.1. Letter case does not tell attributes apart. */
  readonly name: string;
  readonly type: ExtensionType;
  readonly description: string;
  /** Whether it is a list of texts. */
  readonly multiValued: boolean;
  /** Whether every user that is written as a whole must have it. */
  readonly required: boolean;
  /** Whether no other user of the organization may have the value, in any letter case. Such an attribute is searchable. */
  readonly unique: boolean;
  /** Whether an index serves the filter `eq`. */
  readonly searchable: boolean;
  /** Suggested values. Others are accepted. */
  readonly canonicalValues?: readonly string[];
}

export interface ExtensionAttribute extends ExtensionAttributeSettings {
  /**
   * The name under which users store the value. It is never given again in the organization: a value of an attribute that was
   * removed does not come back with another attribute of the same name. The first letter says how the value is found: see
   * {@link findingOf}.
   */
  readonly key: string;
}

/** A schema that extends the users of one organization (RFC 7643 section 3.3). */
export interface ExtensionSchema<Attribute = ExtensionAttribute> {
  /** The URN of the schema. Letter case does not tell schemas apart. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A schema as an administrator sends it. */
export type ExtensionSchemaSettings = ExtensionSchema<ExtensionAttributeSettings>;

/** The schemas of one organization. */
export interface ExtensionSchemas {
  readonly schemas: readonly ExtensionSchema[];
  /** The number of the last key that was given. */
  readonly lastKey: number;
}

/** How a value is found by its attribute's key. */
export function findingOf(key: string): { readonly unique: boolean; readonly searchable: boolean } {
  return { unique: key.startsWith('u'), searchable: /^[us]/.test(key) };
}

/** Makes the key of a new attribute. */
export function newKey(
  { unique, searchable }: Pick<ExtensionAttributeSettings, 'unique' | 'searchable'>,
  number: number,
): string {
  return `${unique ? 'u' : searchable ? 's' : 'a'}${number}`;
}

/** Finds an attribute by the URN of its schema and its name, both in any letter case. */
export function findAttribute(
  registered: Pick<ExtensionSchemas, 'schemas'>,
  id: string,
  name: string,
): ExtensionAttribute | undefined {
  const wanted = name.toLowerCase();
  return findSchema(registered, id)?.attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}

/** Finds a schema by its URN in any letter case. */
export function findSchema(
  { schemas }: Pick<ExtensionSchemas, 'schemas'>,
  id: string,
): ExtensionSchema | undefined {
  const wanted = id.toLowerCase();
  return schemas.find((schema) => schema.id.toLowerCase() === wanted);
}
