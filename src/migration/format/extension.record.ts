import Type, { type Static } from 'typebox';
import { extensionTypes } from '#src/directory/index.js';
import { text } from './values.js';

const flag = Type.Optional(Type.Boolean());

/** `orgs[].org.extensionSchemas[]`: a schema by which the organization extends its users. Absent flags are false. */
export const extensionSchemaRecord = Type.Object({
  id: text,
  name: text,
  description: Type.Optional(text),
  attributes: Type.Array(
    Type.Object({
      name: text,
      type: Type.Unsafe<(typeof extensionTypes)[number]>({ type: 'string', enum: [...extensionTypes] }),
      description: Type.Optional(text),
      multiValued: flag,
      required: flag,
      unique: flag,
      searchable: flag,
      canonicalValues: Type.Optional(Type.Array(text, { maxItems: 100 })),
    }),
    { maxItems: 100 },
  ),
});

export type ExtensionSchemaRecord = Static<typeof extensionSchemaRecord>;

/** `humanUsers[].user.scim.extensions[]`: the value of one attribute. The names are values, because keys may be written in snake_case. */
export const extensionValueRecord = Type.Object({
  schema: text,
  name: text,
  value: Type.Union([text, Type.Number(), Type.Boolean(), Type.Array(text, { maxItems: 100 })]),
});

export type ExtensionValueRecord = Static<typeof extensionValueRecord>;
