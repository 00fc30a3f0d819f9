import Type from 'typebox';
import { scimMediaType } from '../protocol/media-type.js';

type BodyName = 'User' | 'Group' | 'PatchOp' | 'BulkRequest' | 'SearchRequest';
type AnswerName =
  | BodyName
  | 'BulkResponse'
  | 'ListResponse'
  | 'ServiceProviderConfig'
  | 'Schema'
  | 'ResourceType';

/** The description of a SCIM route in the OpenAPI document. */
interface ScimOperation {
  readonly body?: BodyName;
  /** Absent if the answer is 204. */
  readonly answer?: AnswerName;
  readonly status?: number;
  /** The route needs no bearer token. */
  readonly open?: boolean;
  readonly query?: ReturnType<typeof Type.Object>;
  /** The header by which a request depends on the version of the resource (RFC 7644 section 3.14). */
  readonly condition?: keyof typeof conditions;
}

const conditions = {
  'if-match': 'ETags. The answer is 412 if the resource has another version',
  'if-none-match': 'ETags. The answer is 304 if the resource has one of these versions',
};

/** The query parameters that choose attributes (RFC 7644 section 3.9). */
export const projectionQuery = {
  attributes: Type.Optional(Type.String({ description: 'Comma-separated attributes to return' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'Comma-separated attributes to leave out' })),
};

/** The query parameters of a list (RFC 7644 section 3.4.2). */
export const listQuerySchema = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 1000, description: 'RFC 7644 section 3.4.2.2' })),
  sortBy: Type.Optional(Type.String()),
  sortOrder: Type.Optional(Type.String({ description: 'ascending or descending' })),
  startIndex: Type.Optional(Type.Integer({ description: '1-based' })),
  count: Type.Optional(Type.Integer({ description: 'At most 100. A larger number means 100' })),
  cursor: Type.Optional(Type.String({ description: 'RFC 9865; empty for the first page' })),
  ...projectionQuery,
});

const errorContent = {
  description: 'SCIM error (RFC 7644 section 3.12)',
  content: {
    [scimMediaType]: {
      schema: { type: 'object', description: 'urn:ietf:params:scim:api:messages:2.0:Error' },
    },
  },
};

/**
 * Documents a SCIM route. The attribute table checks bodies and the SCIM renderer makes answers, so that clients get the
 * errors of RFC 7644. Fastify neither validates nor serializes.
 */
export function scimOperation(operationId: string, summary: string, operation: ScimOperation = {}) {
  const { body, answer, status = answer === undefined ? 204 : 200, open = false, condition } = operation;
  const scimContent = (name: string) => ({
    [scimMediaType]: { schema: { type: 'object', description: `SCIM ${name}` } },
  });
  return {
    tags: ['scim'],
    operationId: `scim${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    summary,
    ...(!open && { security: [{ bearer: [] }] }),
    ...(operation.query && { querystring: operation.query }),
    ...(condition && {
      headers: Type.Object({
        [condition]: Type.Optional(Type.String({ description: conditions[condition] })),
      }),
    }),
    ...(body && { consumes: [scimMediaType], body: Type.Object({}, { description: `SCIM ${body}` }) }),
    response: {
      [status]:
        answer === undefined
          ? Type.Null({ description: 'Done' })
          : { description: `SCIM ${answer}`, content: scimContent(answer) },
      ...(condition === 'if-none-match' && { 304: Type.Null({ description: 'Not modified' }) }),
      '4xx': errorContent,
      '5xx': errorContent,
    },
  };
}
