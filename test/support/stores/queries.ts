import type { ResourceQuery } from '#src/people/queries/query.js';

/** A query for the resources whose field has this value. */
export const havingValue = (field: string, value: string | boolean): ResourceQuery => ({
  kind: 'equal',
  field,
  value,
  anyCase: false,
  isNaming: false,
  written: { name: field, operator: 'eq' },
});

/** A query for the resources whose field begins with a text. */
export const beginningWith = (field: string, text: string): ResourceQuery => ({
  kind: 'text',
  match: 'begins',
  field,
  texts: [text],
  isList: false,
  anyCase: false,
  written: { name: field, operator: 'sw' },
});
