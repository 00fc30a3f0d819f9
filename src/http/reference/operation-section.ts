import { codeBlock } from '../pages/copy.js';
import { type Html, html } from '../pages/html.js';
import { line, paragraphs } from './prose.js';
import {
  type MediaTypeObject,
  nameIn,
  type OperationObject,
  type ReferenceDocument,
  type ResponseObject,
} from './reference-document.js';
import { bodyExamples, requestExample } from './request-example.js';
import { fieldTable, schemaView } from './schema-table.js';
import { schemaType } from './schema-type.js';

/**
 * One operation on the page of its tag.
 * @param isFirst whether the page has no operation before it with this schema as a body. Later ones lead to the page of the schema
 */
export function operationSection(
  document: ReferenceDocument,
  operation: OperationObject,
  isFirst: (schema: string) => boolean,
): Html {
  const { operationId, summary = operationId, description, parameters = [] } = operation;
  return html`<section id="${operationId}">
<h2><a href="#${operationId}">${line(summary)}</a></h2>
<p class="call">${methodLabel(operation.method)} <code>${operation.path}</code></p>
${description !== undefined && paragraphs(description)}
<p class="soft">${credentialsOf(document, operation)}</p>
${
  parameters.length > 0 &&
  html`<h3>Parameters</h3>${fieldTable(
    document,
    parameters.map(({ required, schema, ...one }) => ({
      name: one.name,
      mark: required ? `${one.in}, required` : one.in,
      schema,
      description: one.description,
    })),
  )}`
}
${bodyOf(document, operation, isFirst)}
${responsesOf(document, operation)}
${examplesOf(document, operation)}
</section>`;
}

export function methodLabel(method: string): Html {
  return html`<span class="method">${method.toUpperCase()}</span>`;
}

function credentialsOf({ securitySchemes }: ReferenceDocument, { security }: OperationObject): Html {
  const names = security.flatMap((one) => Object.keys(one));
  const isOptional = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
  if (names.length === 0) return html`Needs no credentials.`;
  const texts = [...new Set(names)].map((name) => securitySchemes[name]?.description ?? name);
  return html`${isOptional ? 'Credentials, which may also be in the body' : 'Credentials'}: ${line(texts.join('. Or: '))}.`;
}

function bodyOf(
  document: ReferenceDocument,
  { requestBody }: OperationObject,
  isFirst: (schema: string) => boolean,
): Html | undefined {
  if (requestBody === undefined) return undefined;
  return html`<h3>Body${!requestBody.required && ' (optional)'}</h3>${bySchema(requestBody.content).map(
    ({ types, schema }) =>
      html`<p>${typesText(types)}</p>${schemaView(document, shown(document, schema, isFirst))}`,
  )}`;
}

/** A body whose schema has a name is shown in place, so that its fields stand beside the operation. Once on a page is enough. */
function shown(
  { schemas }: ReferenceDocument,
  schema: MediaTypeObject['schema'],
  isFirst: (schema: string) => boolean,
) {
  if (schema.$ref === undefined || !isFirst(schema.$ref)) return schema;
  return schemas[nameIn(schema.$ref)] ?? schema;
}

function responsesOf(document: ReferenceDocument, { responses }: OperationObject): Html {
  const all = Object.entries(responses).map(([status, one]) => ({ status, ...document.response(one) }));
  const good = all.filter(({ status }) => Number(status) < 400);
  const errors = all.filter(({ status }) => Number(status) >= 400);
  return html`<h3>Responses</h3>
${good.map(
  (one) =>
    html`<p><strong>${one.status}</strong> ${line(one.description)}${headersText(one)}</p>${bySchema(
      one.content ?? {},
    ).map(
      ({ types, schema }) =>
        html`<div class="response"><p>${typesText(types)}</p>${schemaView(document, schema)}</div>`,
    )}`,
)}
<details><summary>Errors: ${errors.map(({ status }) => status).join(', ')}</summary>
<table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${errors.map(
    (one) =>
      html`<tr><th scope="row">${one.status}</th><td>${line(one.description)}${headersText(one)}${bySchema(
        one.content ?? {},
      ).map(({ schema }) => html` ${schemaType(document, schema)}`)}</td></tr>`,
  )}</tbody></table></details>`;
}

/** The first page says that every error has `X-Error-Id`. */
function headersText({ headers = {} }: ResponseObject): Html | undefined {
  const names = Object.keys(headers).filter((name) => name !== 'X-Error-Id');
  if (names.length === 0) return undefined;
  return html`. <span class="soft">Headers: ${names.join(', ')}.</span>`;
}

/** The media types of a body, together if they have the same schema. */
function bySchema(content: Readonly<Record<string, MediaTypeObject>>) {
  const groups = new Map<string, { types: string[]; schema: MediaTypeObject['schema'] }>();
  for (const [type, { schema }] of Object.entries(content)) {
    const key = JSON.stringify(schema);
    const group = groups.get(key) ?? { types: [], schema };
    group.types.push(type);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function typesText(types: readonly string[]): Html {
  return html`<code>${types.join(' or ')}</code>`;
}

function examplesOf(document: ReferenceDocument, operation: OperationObject): Html {
  const examples = bodyExamples(operation);
  if (examples.length === 0)
    return html`<details><summary>Example</summary>${codeBlock(requestExample(document, operation))}</details>`;
  return html`${examples.map(
    ({ summary, ...body }) =>
      html`<details><summary>Example: ${summary}</summary>${codeBlock(requestExample(document, operation, body))}</details>`,
  )}`;
}
