import { AppError } from '#src/platform/errors.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from './errors.js';

/** @throws AppError `scim.wrongType` */
export function requireJsonObject(value: unknown, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new AppError(scimErrors.wrongType, { detail: `${what} must be a JSON object` });
}

/** The members of an object by lower-case name: names in SCIM are case-insensitive (RFC 7643 section 2.1). */
export function membersOf(object: JsonObject): Map<string, unknown> {
  return new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}

/**
 * Checks that a message or a resource names its schema (RFC 7643 section 3).
 * @throws AppError `scim.missingSchema`
 */
export function requireSchema(members: Map<string, unknown>, urn: string): void {
  const schemas = members.get('schemas');
  const isNamed = (schema: unknown) =>
    typeof schema === 'string' && schema.toLowerCase() === urn.toLowerCase();
  if (Array.isArray(schemas) && schemas.some(isNamed)) return;
  throw new AppError(scimErrors.missingSchema, { detail: `schemas must contain ${urn}` });
}
