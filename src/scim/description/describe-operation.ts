import type { Content, Description, HeaderName, JsonSchema } from '#src/http/base/description.js';
import { scimMediaType } from '../protocol/media-type.js';
import { errorSchema } from './error-schema.js';
import { examples } from './examples.js';
import { messageSchemas, queryParameters } from './message-schemas.js';
import { resourceSchemas } from './resource-schemas.js';

type SchemaName = keyof typeof resourceSchemas | keyof typeof messageSchemas;

/** What a SCIM route takes and answers. */
export interface ScimOperation {
  readonly description?: string;
  readonly body?: SchemaName;
  /** The examples of the body. */
  readonly examples?: keyof typeof examples;
  /** The body of the answer. Absent if it has none. */
  readonly answer?: SchemaName;
  /** The status of the answer. By default 200, or 204 without a body. */
  readonly status?: 201;
  /** Further answers without a body, and their headers. */
  readonly also?: Readonly<Partial<Record<202 | 204 | 304, readonly HeaderName[]>>>;
  /** The headers of the answer. */
  readonly headers?: readonly HeaderName[];
  /** The route needs no bearer token. */
  readonly open?: boolean;
  /** The query: parameters of a list of users or groups, or those that choose attributes. */
  readonly query?: 'users' | 'groups' | 'projection';
  /** Statuses of errors, beside those of every SCIM route. */
  readonly errors?: readonly number[];
  /** The header by which a request depends on the version of the resource (RFC 7644 section 3.14). */
  readonly condition?: keyof typeof conditions;
  /** Whether the client may ask for an answer at once. */
  readonly mayAnswerLater?: boolean;
  /** Whether the answer has the media type of JSON, and not that of SCIM. */
  readonly isPlainJson?: boolean;
}

const conditions = {
  'If-Match': 'Entity tags. The answer is 412 if the resource has another version',
  'If-None-Match': 'Entity tags. The answer is 304 if the resource has one of these versions',
};

const emptyAnswers: Readonly<Record<number, string>> = {
  202: 'A job does the work, because the client sent `Prefer: respond-async`',
  204: 'Done',
  304: 'The resource has a version that the client knows',
};

/** The query parameters that choose attributes (RFC 7644 section 3.9). */
const projectionParameters: Readonly<Record<string, JsonSchema>> = {
  attributes: {
    type: 'string',
    description: 'The attributes to return, separated by commas',
    examples: ['userName,name.givenName'],
  },
  excludedAttributes: {
    type: 'string',
    description: 'The attributes to leave out, separated by commas. Not together with `attributes`',
  },
};

const queries = {
  users: { type: 'object', properties: { ...queryParameters.users, ...projectionParameters } },
  groups: { type: 'object', properties: { ...queryParameters.groups, ...projectionParameters } },
  projection: { type: 'object', properties: projectionParameters },
};

/** The parameters of the paths. */
const params: JsonSchema = {
  type: 'object',
  properties: { orgId: { type: 'string', minLength: 1, description: 'Organization' } },
  required: ['orgId'],
};

/** The content of every error. */
export const errorContent: Content = { [scimMediaType]: { schema: errorSchema } };

export function describeOperation(operation: ScimOperation): Description {
  const { body, answer, query, condition, errors = [], mayAnswerLater, headers, also = {} } = operation;
  const mediaType = operation.isPlainJson ? 'application/json' : scimMediaType;
  const status = operation.status ?? (answer === undefined ? 204 : 200);
  const content = answer && { [mediaType]: { schema: schemaOf(answer) } };
  const description = answer === undefined ? 'Done' : `The ${answer}`;
  const known: Record<string, JsonSchema> = {
    ...(condition && { [condition]: { type: 'string', description: conditions[condition] } }),
    ...(mayAnswerLater && {
      Prefer: { type: 'string', description: '`respond-async`: answer at once with the address of the job' },
    }),
  };
  return {
    params,
    ...(query && { querystring: queries[query] }),
    ...(Object.keys(known).length > 0 && { headers: { type: 'object', properties: known } }),
    ...(body && { body: bodyOf(body, operation.examples) }),
    responses: {
      [status]: { description, ...(headers && { headers }), ...(content && { content }) },
      ...Object.fromEntries(
        Object.entries(also).map(([one, its]) => [
          one,
          { description: emptyAnswers[Number(one)] ?? '', headers: its },
        ]),
      ),
    },
    errors: [...errors, ...(operation.open ? [] : [404])],
  };
}

/** Requests may have either media type (RFC 7644 section 3.1). */
function bodyOf(name: SchemaName, exampleName: keyof typeof examples | undefined): Content {
  const media = { schema: schemaOf(name), ...(exampleName && { examples: examples[exampleName] }) };
  return { [scimMediaType]: media, 'application/json': media };
}

function schemaOf(name: SchemaName): JsonSchema {
  return { ...resourceSchemas, ...messageSchemas }[name];
}
