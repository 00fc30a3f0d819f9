import {
  directoryErrors,
  type ExtensionAttribute,
  type ExtensionAttributeSettings,
  type ExtensionSchema,
  type ExtensionSchemaSettings,
  type ExtensionSchemas,
  findSchema,
  isLongerThan,
  newKey,
  refusedValue,
} from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { checkEach, Refusals } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';

/** The most of an organization. Its schemas are read with the organization, and every unique attribute costs a key of an index. */
export const extensionLimits = {
  schemas: 10,
  attributes: 100,
  searchable: 20,
  unique: 5,
  canonicalValues: 50,
  description: 500,
  /** Of the names, descriptions and values of all schemas together. Every process has them in memory. */
  characters: 65_536,
} as const;

/** URNs that the service itself has, or that mean something else in SCIM. */
const reserved =
  /^urn:(?:ietf:params:)?scim:(?:api:|schemas:core:|schemas:extension:(?:enterprise|service):)/i;
/** RFC 8141 section 2, without the characters that PATCH paths and filters cannot have. */
const urn = /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9](?::[a-z0-9][a-z0-9._-]*)+$/i;
const maxUrn = 200;
/** RFC 7643 section 2.1. A dollar sign is left to names such as `$ref`. */
const attributeName = /^[a-z][a-z0-9_-]{0,63}$/i;
/** What cannot change, because users have stored values and keys. */
const fixed = ['type', 'multiValued', 'unique', 'searchable'] as const;

/**
 * Returns the schemas of an organization after one was added or replaced. Attributes that stay keep their keys, and so the users keep
 * their values.
 * @throws AppError `directory.valueInvalid`, `directory.extensionAttributeFixed`, `directory.extensionLimit`
 */
export function withSchema(
  { schemas, lastKey }: ExtensionSchemas,
  given: ExtensionSchemaSettings,
): ExtensionSchemas {
  const others = schemas.filter((schema) => schema.id.toLowerCase() !== given.id.toLowerCase());
  const { id, checked, name, description } = checkEach({
    // One that is there already was allowed when it was added.
    id: () => (others.length < schemas.length ? given.id : requireUrn(given.id, others)),
    checked: () => checkedAttributes(given.attributes),
    name: () => requireName('name', given.name),
    description: () => requireDescription('description', given.description),
  });
  const before = findSchema({ schemas }, id);
  let number = lastKey;
  const attributes = checked.map((attribute): ExtensionAttribute => {
    const known = before && attributeNamed(before, attribute.name);
    if (known !== undefined) return { ...attribute, key: requireFixed(known, attribute) };
    number += 1;
    return { ...attribute, key: newKey(attribute, number) };
  });
  const schema: ExtensionSchema = { id: before?.id ?? id, name, description, attributes };
  requireDifferentNames(schema);
  const all = before ? schemas.map((one) => (one === before ? schema : one)) : [...schemas, schema];
  requireLimits(all);
  return { schemas: all, lastKey: number };
}

/** Returns the schemas without one. @throws AppError `directory.extensionSchemaNotFound` */
export function withoutSchema({ schemas, lastKey }: ExtensionSchemas, id: string): ExtensionSchemas {
  const removed = findSchema({ schemas }, id);
  if (removed === undefined) throw new AppError(directoryErrors.extensionSchemaNotFound);
  return { schemas: schemas.filter((schema) => schema !== removed), lastKey };
}

/** @throws AppError unless the URN is well-formed, free, and no part of the path of another schema's attribute */
function requireUrn(id: string, others: readonly ExtensionSchema[]): string {
  if (id.length > maxUrn || !urn.test(id)) {
    const detail = `The identifier of a schema is a URN of at most ${maxUrn} letters, digits, and . _ - : such as urn:example:scim:2.0:User`;
    throw refusedValue('id', 'urn', detail, { most: maxUrn });
  }
  if (reserved.test(id))
    throw refusedValue('id', 'urnReserved', `${id} is a URN of SCIM or of this service. Choose another one`);
  // In a path, a dot may stand for the colon behind a URN. Names of attributes begin with a letter, so versions such as `:1` and `:1.1` go together.
  const within = (one: string, other: string) =>
    /^(?::|\.[a-z])/i.test(one.slice(other.length)) && one.toLowerCase().startsWith(other.toLowerCase());
  const clash = others.find((other) => within(id, other.id) || within(other.id, id));
  if (clash !== undefined) {
    const detail = `${id} and ${clash.id} cannot both exist: one begins with the other`;
    throw refusedValue('id', 'urnClash', detail, { other: clash.id });
  }
  return id;
}

/** @throws AppError that names what is wrong with each */
function checkedAttributes(given: readonly ExtensionAttributeSettings[]): ExtensionAttributeSettings[] {
  const refusals = new Refusals();
  const checked = given.flatMap(
    (settings, index) => refusals.try(() => checkedAttribute(settings, `attributes[${index}]`)) ?? [],
  );
  refusals.throwIfAny();
  return checked;
}

/** @param path names the attribute in errors */
function checkedAttribute(given: ExtensionAttributeSettings, path: string): ExtensionAttributeSettings {
  const { name, type, description, multiValued, required, unique, canonicalValues } = given;
  if (!attributeName.test(name)) {
    const given = JSON.stringify(name.slice(0, 64));
    const detail = `The name of an attribute is 1 to 64 letters, digits, _ and -, and begins with a letter. It was ${given}`;
    throw refusedValue(`${path}.name`, 'attributeName', detail);
  }
  // Every object of JavaScript seems to have these.
  if (name in {})
    throw refusedValue(`${path}.name`, 'attributeReserved', `An attribute cannot be named ${name}`);
  const searchable = given.searchable || unique;
  const isText = type === 'string' || type === 'reference';
  const unfit = (flag: string, detail: string) =>
    refusedValue(`${path}.${flag}`, 'attributeFlags', `${name}: ${detail}`);
  if (multiValued && !isText) throw unfit('multiValued', 'only a string or a reference can be multiValued');
  if (multiValued && unique) throw unfit('unique', 'a multiValued attribute cannot be unique');
  if (searchable && !isText && type !== 'integer')
    throw unfit('searchable', 'only a string, a reference or an integer can be searchable or unique');
  if (canonicalValues !== undefined && type !== 'string')
    throw unfit('canonicalValues', 'only a string can have canonicalValues');
  if (canonicalValues !== undefined) requireCanonicalValues(path, canonicalValues);
  return {
    name,
    type,
    description: requireDescription(`${path}.description`, description),
    multiValued,
    required,
    unique,
    searchable,
    ...(canonicalValues && canonicalValues.length > 0 && { canonicalValues }),
  };
}

function requireCanonicalValues(path: string, values: readonly string[]): void {
  const { canonicalValues: most } = extensionLimits;
  if (values.length > most)
    throw refusedValue(`${path}.canonicalValues`, 'tooMany', `There are more than ${most} canonicalValues`, {
      most,
    });
  for (const [index, value] of values.entries()) requireName(`${path}.canonicalValues[${index}]`, value);
}

function requireDescription(path: string, text: string): string {
  const { description: most } = extensionLimits;
  if (isLongerThan(text, most))
    throw refusedValue(path, 'tooLong', `${path} has more than ${most} characters`, { most });
  if (/[\p{Cc}\p{Cs}]/u.test(text))
    throw refusedValue(path, 'controlCharacters', `${path} has control characters`);
  return text.trim();
}

/** @returns the key */
function requireFixed(known: ExtensionAttribute, given: ExtensionAttributeSettings): string {
  const changed = fixed.filter((name) => known[name] !== given[name]);
  if (changed.length === 0) return known.key;
  throw new AppError(directoryErrors.extensionAttributeFixed, {
    detail: `${known.name}: ${changed.join(' and ')} cannot change. Remove the attribute, which removes its values, and then add it again`,
  });
}

function requireDifferentNames({ attributes }: ExtensionSchema): void {
  const names = new Set<string>();
  for (const [index, { name }] of attributes.entries()) {
    const folded = name.toLowerCase();
    if (names.has(folded))
      throw refusedValue(`attributes[${index}].name`, 'duplicate', `There are two attributes ${name}`);
    names.add(folded);
  }
}

function requireLimits(schemas: readonly ExtensionSchema[]): void {
  const attributes = schemas.flatMap((schema) => schema.attributes);
  const counts = {
    schemas: schemas.length,
    attributes: attributes.length,
    searchable: attributes.filter(({ searchable }) => searchable).length,
    unique: attributes.filter(({ unique }) => unique).length,
  };
  const { length } = JSON.stringify(schemas);
  if (length > extensionLimits.characters) {
    throw new AppError(directoryErrors.extensionLimit, {
      detail: `The schemas of an organization have at most ${extensionLimits.characters} characters together. These would have ${length}`,
    });
  }
  for (const [what, count] of Object.entries(counts) as [keyof typeof counts, number][]) {
    if (count <= extensionLimits[what]) continue;
    const noun = what === 'schemas' || what === 'attributes' ? what : `${what} attributes`;
    throw new AppError(directoryErrors.extensionLimit, {
      detail: `An organization has at most ${extensionLimits[what]} ${noun} of extensions. These would be ${count}`,
    });
  }
}

function attributeNamed({ attributes }: ExtensionSchema, name: string): ExtensionAttribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}
