import Type from 'typebox';
import { scimMediaType } from '../protocol/media-type.js';

type BodyName = 'User' | 'PatchOp' | 'BulkRequest' | 'SearchRequest';
type AnswerName =
  | BodyName
  | 'BulkResponse'
  | 'ListResponse'
  | 'ServiceProviderConfig'
  | 'Schema'
  | 'ResourceType';

/** What the OpenAPI document says of a SCIM route. */
interface ScimOperation {
  readonly body?: BodyName;
  /** Absent where the answer is 204. */
  readonly answer?: AnswerName;
  readonly status?: number;
  /** Whether a bearer token is needed. */
  readonly open?: boolean;
  readonly query?: ReturnType<typeof Type.Object>;
}

const errorContent = {
  description: 'SCIM error (RFC 7644 section 3.12)',
  content: {
    [scimMediaType]: {
      schema: { type: 'object', description: 'urn:ietf:params:scim:api:messages:2.0:Error' },
    },
  },
};

/**
 * Documents a SCIM route. Bodies are checked by the attribute table and answers are made by the SCIM renderer, so
 * that RFC 7644's own errors come out; Fastify's validation and serialization stay out of the way.
 */
export function scimOperation(operationId: string, summary: string, operation: ScimOperation = {}) {
  const { body, answer, status = answer === undefined ? 204 : 200, open = false } = operation;
  const scimContent = (name: string) => ({
    [scimMediaType]: { schema: { type: 'object', description: `SCIM ${name}` } },
  });
  return {
    tags: ['scim'],
    operationId: `scim${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    summary,
    ...(!open && { security: [{ bearer: [] }] }),
    ...(operation.query && { querystring: operation.query }),
    ...(body && { consumes: [scimMediaType], body: Type.Object({}, { description: `SCIM ${body}` }) }),
    response: {
      [status]:
        answer === undefined
          ? Type.Null({ description: 'Done' })
          : { description: `SCIM ${answer}`, content: scimContent(answer) },
      '4xx': errorContent,
      '5xx': errorContent,
    },
  };
}
