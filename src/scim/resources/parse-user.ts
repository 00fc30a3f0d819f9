import type { UserProfileInput } from '#src/directory/index.js';
import { collectRefusals } from '#src/people/users/index.js';
import { Refusals } from '#src/platform/check-each.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { requireJsonObject, requireSchema } from '../protocol/json.js';
import { missingValue } from '../protocol/missing-value.js';
import { urns } from '../protocol/urns.js';
import type { Attribute } from '../schema/attribute.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { readValue } from './read-value.js';
import { resourceMembers } from './resource-members.js';
import type { ScimResource } from './scim-resource.js';

/** A user as the client sent it. */
interface ParsedUser {
  readonly profile: UserProfileInput;
  readonly password?: string;
  /** Whether the body has `active`. A replacement without it leaves `active` as it is. */
  readonly activeGiven: boolean;
}

/**
 * Reads the body of a create or replace request (RFC 7644 sections 3.3 and 3.5.1). Unknown and read-only attributes are
 * ignored. The directory checks the values later.
 * @param schema of the organization
 * @throws AppError `scim.wrongType`, `scim.missingSchema`, `scim.missingValue`, `scim.badValue`
 */
export function parseUserResource(body: unknown, schema: ResourceSchema): ParsedUser {
  const refusals = new Refusals();
  const resource = readResource(body, schema, refusals);
  const missing = missingAttributes(resource, schema).filter((name) => !refusals.names(name));
  if (missing.length > 0) refusals.add(missingValue(missing));
  return withoutRefusals(refusals, resource, schema);
}

/**
 * Reads a user after a PATCH, whose required attributes were checked.
 * @param refusals has what the operations already refused
 * @throws AppError as {@link parseUserResource}
 */
export function parsePatchedUser(
  resource: ScimResource,
  schema: ResourceSchema,
  refusals: Refusals,
): ParsedUser {
  return withoutRefusals(refusals, readResource(resource, schema, refusals), schema);
}

/** @throws AppError if a value was refused, with what the rules of the directory find in the other values */
function withoutRefusals(refusals: Refusals, resource: ScimResource, schema: ResourceSchema): ParsedUser {
  const parsed = toParsedUser(resource, schema);
  if (!refusals.isEmpty) collectRefusals(refusals, parsed.profile);
  refusals.throwIfAny();
  return parsed;
}

/** @param refusals gets what is wrong with each attribute, which the resource then lacks */
function readResource(body: unknown, schema: ResourceSchema, refusals: Refusals): ScimResource {
  const members = resourceMembers(requireJsonObject(body, 'The user'), schema);
  requireUserSchema(members, schema);
  const resource: ScimResource = {};
  for (const attribute of schema.attributes) {
    if (attribute.mutability === 'readOnly') continue;
    const value = readEach(attribute, members.get(attribute.name.toLowerCase()), refusals);
    if (value !== undefined) resource[attribute.name] = value;
  }
  return resource;
}

function readEach(attribute: Attribute, value: unknown, refusals: Refusals): unknown {
  try {
    return readValue(attribute, value, refusals);
  } catch (error) {
    refusals.add(error);
    return undefined;
  }
}

/** Accepts the legacy spellings of the URN of the User schema too. OneLogin sends nothing else. */
function requireUserSchema(members: Map<string, unknown>, schema: ResourceSchema): void {
  const schemas = members.get('schemas');
  const isLegacy = (urn: unknown) => typeof urn === 'string' && schema.isUrn(urn);
  if (!Array.isArray(schemas) || !schemas.some(isLegacy)) requireSchema(members, urns.user);
}

/** Names of the required attributes that the resource lacks. */
export function missingAttributes(resource: ScimResource, { core, extensions }: ResourceSchema): string[] {
  const missing = core.filter(({ name, required }) => required && resource[name] === undefined);
  const missingParts = extensions.flatMap(({ name: urn, subAttributes = [] }) => {
    const values = resource[urn];
    const has = (name: string) => isJsonObject(values) && values[name] !== undefined;
    return subAttributes.flatMap(({ name, required }) => (required && !has(name) ? [`${urn}:${name}`] : []));
  });
  return [...missing.map(({ name }) => name), ...missingParts];
}

function toParsedUser({ password, ...attributes }: ScimResource, schema: ResourceSchema): ParsedUser {
  const profile: ScimResource = { ...attributes };
  const registered: ScimResource = {};
  for (const extension of schema.extensions) {
    const values = attributes[extension.name];
    delete profile[extension.name];
    if (isJsonObject(values)) storeExtension(values, extension, { profile, registered });
  }
  if (Object.keys(registered).length > 0) profile['extensions'] = registered;
  return {
    // The attribute table has checked the names and types, and that no required attribute is missing.
    profile: profile as unknown as UserProfileInput,
    ...(typeof password === 'string' && { password }),
    activeGiven: profile['active'] !== undefined,
  };
}

/**
 * Moves the values of one extension to where the directory keeps them: those of the service beside the core attributes, the identifier of
 * the manager, and those of the organization under their keys.
 */
function storeExtension(
  values: ScimResource,
  { subAttributes = [] }: Attribute,
  { profile, registered }: { profile: ScimResource; registered: ScimResource },
): void {
  for (const { name, key } of subAttributes) {
    const value = values[name];
    if (value === undefined) continue;
    if (key !== undefined) registered[key] = value;
    else profile[name] = isJsonObject(value) ? value['value'] : value;
  }
}
