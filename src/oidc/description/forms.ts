import type { Content, Example, JsonSchema } from '#src/http/base/description.js';

/** A non-empty text. An empty parameter counts as absent (RFC 6749 section 3.2). */
export function nonEmptyText(description: string, keywords: JsonSchema = {}): JsonSchema {
  return { type: 'string', minLength: 1, description, ...keywords };
}

/** A text that may be empty. */
export function text(description: string, keywords: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, ...keywords };
}

/** How a client may prove itself in a form, if it does not use the header (RFC 6749 section 2.3, RFC 7521 section 4.2). */
export const clientParameters: Readonly<Record<string, JsonSchema>> = {
  client_id: text('The client, if no Authorization header names it'),
  client_secret: text('The secret of the client'),
  client_assertion: text('A JWT that the client signed (RFC 7523)'),
  client_assertion_type: text('`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`'),
};

/** The body of a request that sends a form. */
export function formOf(schema: JsonSchema, examples?: Readonly<Record<string, Example>>): Content {
  return { 'application/x-www-form-urlencoded': { schema, ...(examples && { examples }) } };
}

/** An object of parameters. Unknown ones are ignored. */
export function parameters(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}
