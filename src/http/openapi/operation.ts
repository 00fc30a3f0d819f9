import { STATUS_CODES } from 'node:http';
import { freshnessSentence } from '#src/access/authority/index.js';
import {
  type Content,
  type DescribedResponse,
  type Description,
  type DocumentNode,
  type HeaderName,
  type JsonSchema,
  keywordsOf,
} from '../base/description.js';
import type { DescribedRoute } from './collect-routes.js';
import { type ErrorResponse, errorResponses } from './error-responses.js';
import { parametersOf } from './parameters.js';

/** An operation of the document, and the shared responses that it refers to. */
interface MadeOperation {
  readonly operation: DocumentNode;
  readonly errors: readonly ErrorResponse[];
}

/** Describes one route. */
export async function operationOf(route: DescribedRoute): Promise<MadeOperation> {
  const { schema } = route;
  const described = (await schema.described?.()) ?? {};
  const declared = ownResponses(schema.response as Record<string, unknown> | undefined, described);
  const errors = errorResponses(route, declared.errors);
  const body = bodyOf(route, described);
  const parameters = parametersOf(route, described);
  const description = descriptionOf(schema);
  const operation = {
    ...(schema.tags && { tags: schema.tags }),
    ...(schema.operationId !== undefined && { operationId: schema.operationId }),
    ...(schema.summary !== undefined && { summary: schema.summary }),
    ...(description !== '' && { description }),
    security: schema.security ?? [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...declared.responses,
      ...Object.fromEntries(
        Object.entries(errors)
          .filter(([status]) => !(status in declared.responses))
          .map(([status, error]) => [status, { $ref: `#/components/responses/${responseName(error)}` }]),
      ),
    },
  };
  return { operation, errors: Object.values(errors) };
}

/** What the route says of itself, and whether its caller must have signed in lately. */
function descriptionOf({ description = '', operationId = '' }: DescribedRoute['schema']): string {
  const freshness = freshnessSentence(operationId);
  if (freshness === undefined) return description;
  return description === '' ? freshness : `${description.replace(/\.?$/, '.')} ${freshness}`;
}

/** The name of a shared response in the document. */
export function responseName({ form, name }: ErrorResponse): string {
  return `${form.name}${name}`;
}

/** A response as the document has it. */
export function responseObject({ description, headers = [], content }: DescribedResponse) {
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    }),
    ...(content && { content }),
  };
}

function bodyOf({ method, schema: route }: DescribedRoute, { body, bodyOptional, examples }: Description) {
  const schema = route.body as JsonSchema | undefined;
  const content: Content | undefined =
    body ?? (schema && { 'application/json': { schema, ...(examples && { examples }) } });
  if (content === undefined) return undefined;
  const lacksNothing = schema !== undefined && !Array.isArray(keywordsOf(schema)['required']);
  // A change without a body is refused.
  const mayBeAbsent = bodyOptional ?? (lacksNothing && method !== 'PATCH');
  return { required: !mayBeAbsent, content };
}

/**
 * The responses that the schema of the route describes, except errors in the form of the room. Of these, only the statuses
 * are returned.
 */
function ownResponses(response: Readonly<Record<string, unknown>> = {}, described: Description) {
  const errors = [...(described.errors ?? [])];
  const responses: Record<string, unknown> = {};
  for (const [status, one] of Object.entries(response) as [string, JsonSchema][]) {
    const content = keywordsOf(one)['content'] as Content | undefined;
    if (Number(status) >= 400 && content !== undefined) errors.push(Number(status));
    else responses[status] = responseObject(describedResponse(Number(status), one, described));
  }
  for (const [status, one] of Object.entries(described.responses ?? {}))
    responses[status] = responseObject(one);
  return { responses, errors };
}

function describedResponse(status: number, schema: JsonSchema, described: Description): DescribedResponse {
  const { content, type, description } = keywordsOf(schema) as {
    content?: Content;
    type?: unknown;
    description?: string;
  };
  const usual: readonly HeaderName[] = status === 202 ? ['Location', 'Preference-Applied'] : [];
  return {
    description: description ?? STATUS_CODES[status] ?? String(status),
    headers: described.responseHeaders?.[status] ?? usual,
    ...(type !== 'null' && { content: content ?? { 'application/json': { schema } } }),
  };
}
