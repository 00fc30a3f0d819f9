/** A SCIM resource as JSON, its attributes under their canonical names. */
export type ScimResource = Record<string, unknown>;
