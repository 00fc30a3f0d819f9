import type { Attribute } from './attribute.js';

/** The attribute, and perhaps the sub-attribute, of a name such as `title` or `name.givenName`. */
export interface AttributePath {
  readonly attribute: Attribute;
  readonly sub?: Attribute;
  /** The sub-attribute of a complex attribute of an extension, such as `manager.value`. */
  readonly leaf?: Attribute;
}

/** The innermost attribute that the path names. */
export function targetOf({ attribute, sub, leaf }: AttributePath): Attribute {
  return leaf ?? sub ?? attribute;
}

/** Attributes of which hardly two resources of an organization have the same value. */
const namingAttributes: ReadonlySet<string> = new Set([
  'id',
  'userName',
  'externalId',
  'emails',
  'employeeNumber',
]);

/** Whether a value of the attribute names one resource, or few. */
export function isNaming({ attribute, sub }: AttributePath): boolean {
  return namingAttributes.has(attribute.name) || (sub !== undefined && namingAttributes.has(sub.name));
}

/** What one type of resource consists of. Bodies, PATCH paths, filters, sorting and `/Schemas` use the same table. */
export interface ResourceSchema {
  readonly name: 'User' | 'Group';
  readonly urn: string;
  /** The attributes of the schema itself. */
  readonly core: readonly Attribute[];
  /** Each extension as one complex attribute whose name is its URN (RFC 7643 section 3.3). */
  readonly extensions: readonly Attribute[];
  /** Every attribute that a resource may have: the common ones, `core` and `extensions`. */
  readonly attributes: readonly Attribute[];
  /** The service user whose own externalIds filters mean. Absent for callers that share them with others. */
  readonly externalIdsOf?: string;
  /** Finds an attribute by its name in any letter case, with or without the URN of the schema (RFC 7644 section 3.10). */
  find(name: string): AttributePath | undefined;
  /** Whether the text is the URN of the schema, in the standard or a legacy spelling. */
  isUrn(text: string): boolean;
  /** `urn:ietf:params:scim:schemas:core:2.0:User:name.givenName` becomes `name.givenName`. */
  withoutUrn(name: string): string;
}

/** @param definition `urnPattern` is the source of a regular expression that matches the URN and its legacy spellings */
export function resourceSchema(
  definition: Pick<ResourceSchema, 'name' | 'urn' | 'core' | 'extensions'> & {
    readonly common: readonly Attribute[];
    readonly urnPattern: string;
  },
): ResourceSchema {
  const { name, urn, core, extensions, common, urnPattern } = definition;
  const attributes = [...common, ...core, ...extensions];
  const whole = new RegExp(`^${urnPattern}$`, 'i');
  const prefix = new RegExp(`^${urnPattern}[:.]`, 'i');
  const withoutUrn = (path: string) => path.replace(prefix, '');
  const paths = new Map<string, AttributePath>();
  /** A colon follows the URN of a schema (RFC 7644 section 3.10). Some clients write a dot. A schema of that URN goes before. */
  const dotted = new Map<string, AttributePath>();
  for (const attribute of attributes) {
    paths.set(attribute.name.toLowerCase(), { attribute });
    const isExtension = extensions.includes(attribute);
    for (const sub of attribute.subAttributes ?? []) {
      const add = (name: string, path: AttributePath) => {
        if (isExtension) paths.set(`${attribute.name}:${name}`.toLowerCase(), path);
        (isExtension ? dotted : paths).set(`${attribute.name}.${name}`.toLowerCase(), path);
      };
      add(sub.name, { attribute, sub });
      for (const leaf of sub.subAttributes ?? []) add(`${sub.name}.${leaf.name}`, { attribute, sub, leaf });
    }
  }
  return {
    name,
    urn,
    core,
    extensions,
    attributes,
    find(path) {
      const key = withoutUrn(path).toLowerCase();
      return paths.get(key) ?? dotted.get(key);
    },
    isUrn: (text) => whole.test(text),
    withoutUrn,
  };
}
