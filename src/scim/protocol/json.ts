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

/**
 * Checks the schema of a message that may leave it out: a PATCH, a SearchRequest or a BulkRequest. Clients such as authentik leave it out, and
 * the endpoint takes no other message. A resource names its schema always ({@link requireSchema}).
 * @throws AppError `scim.missingSchema` if `schemas` is there without the URN
 */
export function requireMessageSchema(members: Map<string, unknown>, urn: string): void {
  if ((members.get('schemas') ?? null) !== null) requireSchema(members, urn);
}

/**
 * The text that a client means by a number or a boolean, which some clients send for texts: `"externalId": 701984`. Any other value stays
 * as it is, and so does a number beyond 2^53 - 1, because JSON parsers have changed its digits.
 */
export function textOf(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
}
