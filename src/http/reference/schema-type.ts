import { type Html, type HtmlValue, html } from '../pages/html.js';
import { schemaAddress } from './addresses.js';
import { nameIn, type ReferenceDocument, type SchemaObject } from './reference-document.js';

/** Longest pattern that the reference shows. The document has the others, which list characters. */
const maxPattern = 100;

/** The type of a value in one line, with links to the schemas that it names. */
export function schemaType(document: ReferenceDocument, schema: SchemaObject): Html {
  const { $ref, items, type } = schema;
  if ($ref !== undefined) {
    const name = nameIn($ref);
    return html`<a href="${schemaAddress(document, name)}">${name}</a>`;
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return joined(schema.enum.map(literal));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return joined(choices.map((one) => schemaType(document, one)));
  if (schema.allOf !== undefined)
    return joined(
      schema.allOf.map((one) => schemaType(document, one)),
      ' and ',
    );
  if (items !== undefined) return html`list of ${schemaType(document, items)}`;
  const { additionalProperties: values } = schema;
  if (typeof values === 'object' && Object.keys(values).length > 0)
    return html`map of ${schemaType(document, values)}`;
  return html`${[type ?? (schema.properties ? 'object' : 'any')].flat().join(' or ')}${
    schema.format !== undefined && ` (${schema.format})`
  }`;
}

/** The limits of a value, each as a few words. */
export function schemaLimits(schema: SchemaObject): Html[] {
  const { pattern } = schema;
  return [
    ...range([schema.minLength, schema.maxLength], 'characters'),
    ...range([schema.minItems, schema.maxItems], 'items'),
    ...range([schema.minimum, schema.maximum]),
    ...(schema.default === undefined ? [] : [html`default ${literal(schema.default)}`]),
    ...(pattern !== undefined && pattern.length <= maxPattern ? [html`pattern <code>${pattern}</code>`] : []),
  ];
}

function range([least, most]: readonly [number | undefined, number | undefined], unit = ''): Html[] {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [html`at least ${least} ${unit}`];
  if (least === undefined) return [html`at most ${most} ${unit}`];
  return [html`${least} to ${most} ${unit}`];
}

function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

/** The parts with a word between them. A part that occurs again is left out. */
function joined(parts: readonly Html[], word = ' or '): Html {
  const known = new Map(parts.map((part) => [part.toString(), part]));
  const values: HtmlValue[] = [...known.values()].flatMap((part, index) =>
    index === 0 ? [part] : [word, part],
  );
  return html`${values}`;
}
