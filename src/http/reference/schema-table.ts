import { type Html, html } from '../pages/html.js';
import { line } from './prose.js';
import type { ReferenceDocument, SchemaObject } from './reference-document.js';
import { schemaLimits, schemaType } from './schema-type.js';

/** A row of a table of fields or parameters. */
interface FieldRow {
  readonly name: string;
  /** What stands below the name, such as `required`. */
  readonly mark?: string | undefined;
  readonly schema: SchemaObject;
  readonly description?: string | undefined;
}

/** A schema: its type and limits in a line, then its fields as tables. */
export function schemaView(document: ReferenceDocument, schema: SchemaObject): Html {
  const tables = fieldTables(document, schema);
  const isPlainObject = tables.length === 1 && schema.properties !== undefined;
  return html`${!isPlainObject && html`<p>${schemaType(document, schema)}${limitsOf(schema)}</p>`}${tables}`;
}

/** A table whose rows are fields or parameters. A field with fields of its own has a row that opens. */
export function fieldTable(document: ReferenceDocument, rows: readonly FieldRow[]): Html {
  return html`<table><thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead><tbody>${rows.map(
    (row) => fieldRow(document, row),
  )}</tbody></table>`;
}

function fieldRow(document: ReferenceDocument, { name, mark, schema, description }: FieldRow): Html {
  const text = description ?? schema.description;
  const nested = fieldTables(document, schema);
  return html`<tr><th scope="row"><code>${name}</code>${mark !== undefined && html` <span class="mark-of">${mark}</span>`}</th>
<td><span class="type">${schemaType(document, schema)}${limitsOf(schema)}</span>${
    text !== undefined && html`<br>${line(text)}`
  }</td></tr>${
    nested.length > 0 &&
    html`<tr class="nested"><td colspan="2"><details><summary>Fields of <code>${name}</code></summary>${nested}</details></td></tr>`
  }`;
}

/** A table for each object that the schema describes in place: itself, its items, its values, its alternatives. */
function fieldTables(document: ReferenceDocument, schema: SchemaObject): Html[] {
  const { additionalProperties: values, items } = schema;
  const inner = [
    ...(items === undefined ? [] : [items]),
    ...(typeof values === 'object' ? [values] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  const rows = [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => ({
      name,
      mark: schema.required?.includes(name) ? 'required' : undefined,
      schema: one,
    })),
    ...Object.entries(schema.patternProperties ?? {})
      .filter(([, one]) => typeof one === 'object')
      .map(([name, one]) => ({ name, mark: 'pattern of names', schema: one })),
  ];
  return [
    ...(rows.length === 0 ? [] : [fieldTable(document, rows)]),
    ...inner.flatMap((one) => fieldTables(document, one)),
  ];
}

function limitsOf(schema: SchemaObject): Html[] {
  return schemaLimits(schema).map((limit) => html`, ${limit}`);
}
