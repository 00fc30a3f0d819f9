import type { ExtensionAttributeSettings, ExtensionSchemaSettings } from '#src/directory/extension-schema.js';

/** The URN of the schema that tests register. */
export const badgeUrn = 'urn:example:params:scim:badge:2.0:User';

/** An attribute with the settings that are given. */
export function extensionAttribute(
  name: string,
  settings: Partial<ExtensionAttributeSettings> = {},
): ExtensionAttributeSettings {
  return {
    name,
    type: 'string',
    description: '',
    multiValued: false,
    required: false,
    unique: false,
    searchable: false,
    ...settings,
  };
}

/** A schema with an attribute of every kind. */
export const badgeSchema: ExtensionSchemaSettings = {
  id: badgeUrn,
  name: 'Badge',
  description: 'What the gate knows',
  attributes: [
    extensionAttribute('number', { unique: true }),
    extensionAttribute('areas', { multiValued: true, searchable: true }),
    extensionAttribute('level', { type: 'integer', searchable: true }),
    extensionAttribute('weight', { type: 'decimal' }),
    extensionAttribute('escort', { type: 'boolean' }),
    extensionAttribute('expires', { type: 'dateTime' }),
    extensionAttribute('picture', { type: 'reference' }),
    extensionAttribute('color', { canonicalValues: ['red', 'green'], description: 'Of the badge' }),
  ],
};
