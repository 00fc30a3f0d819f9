import type { DocumentNode, JsonSchema } from '../base/description.js';
import type { ApiDocument } from './api-document.js';
import { plainSchema, referredName, type SchemaContext } from './plain/plain-schema.js';

type Named<T = DocumentNode> = Readonly<Record<string, T>>;

/** The contexts of schemas in the document: what clients read, what they write, and the changes that they write. */
interface Contexts {
  readonly read: SchemaContext;
  readonly written: SchemaContext;
  readonly changed: SchemaContext;
}

const about = `This is the description in OpenAPI 3.0, for programs that generate clients. It has the addresses, the fields and their types.
It leaves out rules about values, which the service checks. \`/openapi.json\` (OpenAPI 3.1) has them too, and describes what is the same for all calls.`;

/**
 * The document in the form that generators of clients understand. What it says is true of the same requests and responses, but it says less:
 * `plainSchema` tells what is left out.
 */
export function plainDocument(document: ApiDocument): DocumentNode {
  const { schemas = {}, responses = {}, headers = {}, securitySchemes = {} } = document.components;
  const { person: _, ...schemes } = securitySchemes;
  const read = readSchemas(document);
  const contexts: Contexts = {
    read: { components: schemas, isRead: true, hasNull: true },
    written: { components: schemas, isRead: false, hasNull: false },
    changed: { components: schemas, isRead: false, hasNull: true },
  };
  const paths = mapValues(document.paths, (operations) =>
    mapValues(operations, (operation, method) => plainOperation(method, operation, contexts)),
  );
  const shared = mapValues(responses, (response) => plainContents(response, contexts.read));
  const plain = mapValues(
    schemas,
    (schema, name) => plainSchema(schema, read.has(name) ? contexts.read : contexts.written) ?? {},
  );
  const used = reachedFrom({ paths, shared }, plain);
  return {
    openapi: '3.0.3',
    info: {
      ...document.info,
      description: about,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: document.servers,
    tags: document.tags,
    paths,
    components: {
      securitySchemes: schemes,
      headers: mapValues(headers, (header) => ({
        ...header,
        schema: plainSchema(header['schema'] as JsonSchema, contexts.read) ?? {},
      })),
      responses: shared,
      schemas: Object.fromEntries(Object.entries(plain).filter(([name]) => used.has(name))),
    },
  };
}

function plainOperation(
  method: string,
  operation: DocumentNode,
  { read, written, changed }: Contexts,
): DocumentNode {
  const { parameters, requestBody, responses, security, ...others } = operation;
  return {
    ...others,
    security: (security as Named[]).map(asBearer),
    ...(parameters !== undefined && {
      parameters: (parameters as DocumentNode[]).map((parameter) => plainParameter(parameter, written)),
    }),
    ...(requestBody !== undefined && {
      requestBody: plainContents(requestBody as DocumentNode, method === 'patch' ? changed : written),
    }),
    responses: mapValues(responses as Named, (response) => plainContents(response, read)),
  };
}

/** A program has the access token of a person already, and sends it as every other one. Generators would add a library to get it. */
function asBearer(needed: Named): Named {
  return 'person' in needed ? { bearer: [] as never } : needed;
}

/** A query has no types, so the texts `true` and `false` are a boolean value of the program that makes it. */
function plainParameter({ schema, ...parameter }: DocumentNode, context: SchemaContext): DocumentNode {
  const { description, ...plain } = plainSchema(schema as JsonSchema, context) ?? {};
  const values = plain['enum'];
  const isSwitch = Array.isArray(values) && values.join() === 'true,false';
  const sentences = [parameter['description'], description].filter((one) => one !== undefined);
  return {
    ...parameter,
    ...(sentences.length > 0 && { description: sentences.join('. ') }),
    schema: isSwitch ? { type: 'boolean' } : plain,
  };
}

/** A body or a response. One that is not JSON is bytes for the program. */
function plainContents(described: DocumentNode, context: SchemaContext): DocumentNode {
  const { content, ...others } = described;
  if (content === undefined) return described;
  return {
    ...others,
    content: mapValues(content as Named, ({ schema }, type) => ({
      schema: /\bjson$|urlencoded$/.test(type.replace('x-ndjson', ''))
        ? (plainSchema(schema as JsonSchema, context) ?? {})
        : { type: 'string', format: 'binary' },
    })),
  };
}

/** The names of the schemas of which responses have values. */
function readSchemas({ paths, components: { responses = {}, schemas = {} } }: ApiDocument): Set<string> {
  const answers = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map((operation) => operation['responses']),
  );
  return reachedFrom({ answers, responses }, schemas);
}

/** The names of the schemas to which references lead from a part, also by way of others. */
function reachedFrom(part: unknown, schemas: Named): Set<string> {
  const reached = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = referredName((value as DocumentNode)['$ref']);
    if (name !== undefined && !reached.has(name)) {
      reached.add(name);
      follow(schemas[name]);
    }
    for (const inner of Object.values(value)) follow(inner);
  };
  follow(part);
  return reached;
}

function mapValues<T, R>(values: Named<T>, change: (value: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
