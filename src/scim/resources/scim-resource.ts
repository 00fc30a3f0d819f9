/** A SCIM resource as JSON. Attributes have their canonical names. */
export type ScimResource = Record<string, unknown>;
