import {
  type ExtensionSchemaSettings,
  type ExtensionSchemas,
  type ExtensionValue,
  type ExtensionValues,
  findAttribute,
} from '#src/directory/index.js';
import { missingValues, withSchema } from '#src/people/extension-schemas/index.js';
import type { ExtensionSchemaRecord, ExtensionValueRecord } from '../../../format/extension.record.js';
import { RecordFailure } from '../section/record-failure.js';

/** The schemas of a new organization. @throws AppError of the directory's rules */
export function importedSchemas(records: readonly ExtensionSchemaRecord[]): ExtensionSchemas {
  return records.map(settingsOf).reduce<ExtensionSchemas>(withSchema, { schemas: [], lastKey: 0 });
}

function settingsOf({
  description = '',
  attributes,
  ...schema
}: ExtensionSchemaRecord): ExtensionSchemaSettings {
  const absent = { description: '', multiValued: false, required: false, unique: false, searchable: false };
  return { ...schema, description, attributes: attributes.map((attribute) => ({ ...absent, ...attribute })) };
}

/**
 * The values of a record by the keys of their attributes. A value without an attribute is an error, because it would be lost. Undefined if
 * the record has none.
 * @throws RecordFailure
 */
export function importedValues(
  records: readonly ExtensionValueRecord[],
  registered: ExtensionSchemas = { schemas: [], lastKey: 0 },
): Record<string, ExtensionValue> | undefined {
  const values: Record<string, ExtensionValue> = {};
  for (const { schema, name, value } of records) {
    const attribute = findAttribute(registered, schema, name);
    if (attribute === undefined) {
      throw new RecordFailure(
        'VALUE-INVALID',
        `The organization has registered no attribute ${schema}:${name}. Register its schema first`,
      );
    }
    values[attribute.key] = value;
  }
  return records.length === 0 ? undefined : values;
}

/** @throws RecordFailure if the values of a person lack a required one */
export function requireAllValues(
  values: ExtensionValues = {},
  registered: ExtensionSchemas = { schemas: [], lastKey: 0 },
): void {
  const missing = missingValues(values, registered);
  if (missing.length > 0) throw new RecordFailure('VALUE-MISSING', `${missing.join(', ')} is required`);
}
