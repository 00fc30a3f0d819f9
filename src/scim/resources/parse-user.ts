import type { UserProfileInput } from '#src/directory/users/user.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, requireJsonObject, requireSchema } from '../protocol/json.js';
import { urns } from '../protocol/urns.js';
import { userAttributes, userSchema } from '../schema/user-attributes.js';
import { readValue } from './read-value.js';
import type { ScimResource } from './scim-resource.js';

/** A user as the client sent it. */
export interface ParsedUser {
  readonly profile: UserProfileInput;
  readonly password?: string;
  /** Whether the body has `active`. A replacement without it leaves `active` as it is. */
  readonly activeGiven: boolean;
}

const writableAttributes = userSchema.attributes.filter(({ mutability }) => mutability !== 'readOnly');

/**
 * Reads the body of a create or replace request (RFC 7644 sections 3.3 and 3.5.1). Unknown and read-only attributes are
 * ignored. The directory checks the values later.
 * @throws AppError `scim.wrongType`, `scim.missingSchema`, `scim.missingValue`, `scim.badValue`
 */
export function parseUserResource(body: unknown): ParsedUser {
  const members = membersOf(requireJsonObject(body, 'The user'));
  requireUserSchema(members);
  const resource: ScimResource = {};
  for (const attribute of writableAttributes) {
    const value = readValue(attribute, members.get(attribute.name.toLowerCase()));
    if (value !== undefined) resource[attribute.name] = value;
  }
  const missing = missingAttributes(resource);
  if (missing.length > 0) {
    throw new AppError(scimErrors.missingValue, { detail: `Required: ${missing.join(', ')}` });
  }
  return toParsedUser(resource);
}

/** Accepts the legacy spellings of the URN of the User schema too. OneLogin sends nothing else. */
function requireUserSchema(members: Map<string, unknown>): void {
  const schemas = members.get('schemas');
  const isLegacy = (schema: unknown) => typeof schema === 'string' && userSchema.isUrn(schema);
  if (!Array.isArray(schemas) || !schemas.some(isLegacy)) requireSchema(members, urns.user);
}

/** Names of the required attributes that the resource lacks. */
export function missingAttributes(resource: ScimResource): string[] {
  return userAttributes
    .filter(({ name, required }) => required && resource[name] === undefined)
    .map(({ name }) => name);
}

function toParsedUser({ password, ...attributes }: ScimResource): ParsedUser {
  const profile: ScimResource = { ...attributes };
  for (const { name } of userSchema.extensions) {
    delete profile[name];
    Object.assign(profile, storedExtension(attributes[name]));
  }
  return {
    // The attribute table has checked the names and types, and that no required attribute is missing.
    profile: profile as unknown as UserProfileInput,
    ...(typeof password === 'string' && { password }),
    activeGiven: profile['active'] !== undefined,
  };
}

/** The values of an extension as the directory stores them, beside the others: of the manager only the identifier. */
function storedExtension(extension: unknown): ScimResource {
  if (!isJsonObject(extension)) return {};
  const { manager, ...values } = extension;
  return isJsonObject(manager) ? { ...values, manager: manager['value'] } : values;
}
