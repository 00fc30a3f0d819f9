import type { ExtensionSchemas, ExtensionValues } from '#src/directory/index.js';
import type { ExtensionSchemaRecord, ExtensionValueRecord } from '../format/extension.record.js';

/** The schemas of an organization as records. */
export function exportSchemas({ schemas }: ExtensionSchemas): ExtensionSchemaRecord[] {
  return schemas.map(({ attributes, ...schema }) => ({
    ...schema,
    attributes: attributes.map(({ key: _key, canonicalValues, ...settings }) => ({
      ...settings,
      ...(canonicalValues && { canonicalValues: [...canonicalValues] }),
    })),
  }));
}

/** The values of a user as records. Values of attributes that were removed are left out. */
export function exportValues(values: ExtensionValues, { schemas }: ExtensionSchemas): ExtensionValueRecord[] {
  return schemas.flatMap(({ id, attributes }) =>
    attributes.flatMap(({ name, key }) => {
      const value = values[key];
      return value === undefined ? [] : { schema: id, name, value: value as ExtensionValueRecord['value'] };
    }),
  );
}
