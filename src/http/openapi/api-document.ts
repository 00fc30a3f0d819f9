import type { Content, DocumentNode, HeaderName, JsonSchema, MediaType } from '../base/description.js';
import type { DescribedRoute } from './collect-routes.js';
import { type Components, createComponents } from './components.js';
import type { ErrorResponse } from './error-responses.js';
import { headers } from './headers.js';
import { operationOf, responseName, responseObject } from './operation.js';
import { securitySchemes } from './security-schemes.js';
import { describedTags } from './tags.js';

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly openapi: '3.1.0';
  readonly info: DocumentNode;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations by their path and their method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentNode>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, DocumentNode>>>>;
}

const about = `User provisioning (SCIM 2.0), OpenID Connect, and the administration of an instance.

A caller of SCIM and of \`/admin/v1\` sends an access token or a personal access token as a bearer token. The roles of the caller decide
what it may do. An object that no role of the caller reaches does not exist for it.

Every error has a stable identifier in the header \`X-Error-Id\`. A response with 429 or 503 says in \`Retry-After\` when to try again.
Names of the properties of \`/admin/v1\` may be in lowerCamelCase, as here, or in snake_case.`;

/** Describes the routes. All of them must have been added. */
export async function apiDocument(
  routes: readonly DescribedRoute[],
  { baseUrl }: { baseUrl: string },
): Promise<ApiDocument> {
  const components = createComponents();
  const shared = new Map<string, ErrorResponse>();
  const paths: Record<string, Record<string, DocumentNode>> = {};
  for (const route of routes) {
    const { operation, errors } = await operationOf(route);
    for (const error of errors) shared.set(responseName(error), error);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: registerSchemas(operation, components),
    };
  }
  const responses: Record<string, DocumentNode> = {};
  for (const [name, error] of [...shared].sort(byName))
    responses[name] = registerSchemas(await errorObject(error), components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: '1',
      description: about,
      contact: { name: 'The operator of this instance', url: baseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: describedTags(routes.flatMap(({ schema }) => schema.tags ?? [])),
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers: usedHeaders({ paths, responses }),
      responses,
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(byName)),
    },
  };
}

async function errorObject({ description, headers = [], form }: ErrorResponse) {
  return responseObject({ description, headers: ['X-Error-Id', ...headers], content: await form.content() });
}

/** The headers to which the document refers. */
function usedHeaders(document: unknown): Record<string, DocumentNode> {
  const text = JSON.stringify(document);
  const names = (Object.keys(headers) as HeaderName[]).filter((name) =>
    text.includes(`"#/components/headers/${name}"`),
  );
  return Object.fromEntries(names.map((name) => [name, { ...headers[name] }]));
}

/** Replaces the schemas of an operation or a response by those of the document. */
function registerSchemas(described: DocumentNode, components: Components): DocumentNode {
  const { parameters, requestBody, responses, content, ...others } = described;
  return {
    ...others,
    ...(parameters !== undefined && {
      parameters: (parameters as DocumentNode[]).map(({ schema, ...parameter }) => ({
        ...parameter,
        schema: components.register(schema as JsonSchema),
      })),
    }),
    ...(requestBody !== undefined && {
      requestBody: registerSchemas(requestBody as DocumentNode, components),
    }),
    ...(content !== undefined && { content: registerContent(content as Content, components) }),
    ...(responses !== undefined && {
      responses: Object.fromEntries(
        Object.entries(responses as Record<string, DocumentNode>).map(([status, response]) => [
          status,
          registerSchemas(response, components),
        ]),
      ),
    }),
  };
}

function registerContent(content: Content, components: Components): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...media }]) => [
      type,
      { schema: components.register(schema), ...media },
    ]),
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
