import { guidesPath } from '../base/guides-path.js';
import { type Html, html } from '../pages/html.js';
import {
  operationAddress,
  schemaAddress,
  schemasAddress,
  sectionOf,
  tagAddress,
  titleOf,
} from './addresses.js';
import { methodLabel, operationSection } from './operation-section.js';
import { line, paragraphs } from './prose.js';
import type { OperationObject, ReferenceDocument } from './reference-document.js';
import { referenceFrame } from './reference-frame.js';
import { schemaView } from './schema-table.js';

/** `/docs/api`: what callers must know first, and every operation with a link to it. */
export function overviewPage(document: ReferenceDocument): Html {
  const { baseUrl, tags, about } = document;
  return referenceFrame(document, {
    title: 'API reference',
    content: html`${paragraphs(about)}
<p>Programs read <a href="${baseUrl}/openapi.json">the OpenAPI document</a>, from which these pages are made. Generators of clients read <a href="${baseUrl}/openapi-3.0.json">its plain form</a>: <a href="${baseUrl}${guidesPath}/generated-clients">generate a client</a>. <a href="${baseUrl}${guidesPath}">The guides</a> say how to use it.</p>
${tags.map(
  ({ name, description }) => html`<section aria-labelledby="of-${sectionOf(name)}">
<h2 id="of-${sectionOf(name)}"><a href="${tagAddress(document, name)}">${titleOf(name)}</a></h2>
<p class="soft">${line(description)}</p>
${operationList(document, operationsOf(document, name))}</section>`,
)}`,
  });
}

/** `/docs/api/{tag}`: the operations of a tag. Undefined if there is no such tag. */
export function tagPage(document: ReferenceDocument, section: string): Html | undefined {
  const tag = document.tags.find(({ name }) => sectionOf(name) === section);
  if (tag === undefined) return undefined;
  const operations = operationsOf(document, tag.name);
  const described = new Set<string>();
  const isFirst = (schema: string) => !described.has(schema) && described.add(schema) !== undefined;
  return referenceFrame(document, {
    title: titleOf(tag.name),
    current: tagAddress(document, tag.name),
    content: html`<p class="soft">${line(tag.description)}</p>
${operationList(document, operations)}
${operations.map((one) => operationSection(document, one, isFirst))}`,
  });
}

/** `/docs/api/schemas`: the names of all schemas. */
export function schemasPage(document: ReferenceDocument): Html {
  return referenceFrame(document, {
    title: 'Schemas',
    current: schemasAddress(document),
    content: html`<p class="soft">Bodies that several operations share</p>
<ul>${Object.entries(document.schemas).map(
      ([name, { description }]) =>
        html`<li><a href="${schemaAddress(document, name)}">${name}</a>${
          description !== undefined && html` <span class="soft">${line(description)}</span>`
        }</li>`,
    )}</ul>`,
  });
}

/** `/docs/api/schemas/{name}`: one schema, and who uses it. Undefined if there is no such schema. */
export function schemaPage(document: ReferenceDocument, name: string): Html | undefined {
  const schema = Object.hasOwn(document.schemas, name) ? document.schemas[name] : undefined;
  if (schema === undefined) return undefined;
  const users = document.operations.filter((one) =>
    JSON.stringify([one.requestBody, one.responses]).includes(`"#/components/schemas/${name}"`),
  );
  return referenceFrame(document, {
    title: name,
    current: schemasAddress(document),
    content: html`${schema.description !== undefined && paragraphs(schema.description)}
${schemaView(document, schema)}
${users.length > 0 && html`<section><h2>Used by</h2>${operationList(document, users)}</section>`}`,
  });
}

function operationsOf({ operations }: ReferenceDocument, tag: string): OperationObject[] {
  return operations.filter(({ tags }) => tags[0] === tag);
}

function operationList(document: ReferenceDocument, operations: readonly OperationObject[]): Html {
  return html`<ul class="operations">${operations.map(
    (one) => html`<li><a href="${operationAddress(document, one)}">${line(one.summary ?? one.operationId)}</a>
<span class="call">${methodLabel(one.method)} <code>${one.path}</code></span></li>`,
  )}</ul>`;
}
