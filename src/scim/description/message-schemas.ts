import type { JsonSchema } from '#src/http/base/description.js';
import { pollLimits } from '../events/poll-request.js';
import { limits } from '../protocol/limits.js';
import { urns } from '../protocol/urns.js';
import type { Attribute } from '../schema/attribute.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { userSchema } from '../schema/user-attributes.js';
import { errorSchema } from './error-schema.js';
import { resourceSchemas } from './resource-schemas.js';
import { schemasWith } from './schemas-with.js';

/** A page of resources (RFC 7644 section 3.4.2). */
function listOf(title: string, item: JsonSchema): JsonSchema {
  return {
    title,
    description: `ListResponse (${urns.listResponse})`,
    type: 'object',
    required: ['schemas', 'totalResults', 'itemsPerPage', 'startIndex', 'Resources'],
    properties: {
      schemas: schemasWith(urns.listResponse),
      totalResults: { type: 'integer', minimum: 0, description: 'How many resources match' },
      itemsPerPage: { type: 'integer', minimum: 0, description: 'How many resources the page has' },
      startIndex: { type: 'integer', minimum: 1, description: '1-based index of the first resource' },
      nextCursor: {
        type: 'string',
        description: 'The cursor of the next page (RFC 9865). Absent on the last page',
      },
      Resources: { type: 'array', items: item },
    },
    additionalProperties: false,
  };
}

/** The names that sort resources, with the parts of complex attributes. */
function sortable(attributes: readonly Attribute[], prefix = ''): string[] {
  return attributes.flatMap((attribute) => [
    ...(attribute.search?.sortField === undefined ? [] : [`${prefix}${attribute.name}`]),
    ...sortable(attribute.subAttributes ?? [], `${prefix}${attribute.name}.`),
  ]);
}

/** The names that sort some resources, in any letter case, also with the URN of the schema. */
function sortParameter(...schemas: readonly ResourceSchema[]) {
  const names = [...new Set(schemas.flatMap(({ attributes }) => sortable(attributes)))];
  const urnPrefixes = schemas.map(({ urn }) => `${urn}:`.replaceAll('.', '\\.')).join('|');
  const written = names.map((name) =>
    name
      .replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
      .replaceAll('.', '\\.'),
  );
  return {
    type: 'string',
    pattern: `^(?:(?:${urnPrefixes})?(?:${written.join('|')}))?$`,
    description: `The attribute to sort by: ${names.join(', ')}`,
    examples: ['id'],
  };
}

/** The parameters of a list that are the same in a query and in a body. */
const listParameters = {
  filter: {
    type: 'string',
    maxLength: limits.filterLength,
    description: 'RFC 7644 section 3.4.2.2',
    examples: ['displayName sw "A"'],
  },
  sortBy: sortParameter(userSchema, groupSchema),
  sortOrder: { type: 'string', enum: ['ascending', 'descending', ''], description: 'ascending if absent' },
  startIndex: { type: 'integer', description: '1-based index of the first resource. Less than 1 means 1' },
  count: {
    type: 'integer',
    description: `The most resources of the page. More than ${limits.pageSize} means ${limits.pageSize}`,
  },
  cursor: {
    type: 'string',
    maxLength: 8_000,
    description: 'Where to continue: `nextCursor` of the page before, or empty for the first page (RFC 9865)',
    examples: [''],
  },
};

/** The parameters of a list of users, and of groups, in a query. */
export const queryParameters = {
  users: { ...listParameters, sortBy: sortParameter(userSchema) },
  groups: { ...listParameters, sortBy: sortParameter(groupSchema) },
};

/** Names in a list, or in one text with commas between them. */
const names: JsonSchema = { type: ['array', 'string', 'null'], items: { type: 'string' }, maxItems: 2_000 };

const noNames: JsonSchema = { maxItems: 0, maxLength: 0 };

/** A whole number, or its text. */
const wholeNumber: JsonSchema = { type: ['integer', 'string', 'null'], pattern: '^(?:[+\\-]?[0-9]+)?$' };

/** The schema of a message that need not name its schema. */
function perhapsWith(urn: string): JsonSchema {
  return { ...schemasWith(urn), type: ['array', 'null'] };
}

function orNull(schemas: Readonly<Record<string, { readonly type: string }>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { type, ...schema }]) => [
      name,
      'enum' in schema
        ? { ...schema, type: [type, 'null'], enum: [...(schema.enum as string[]), null] }
        : { ...schema, type: [type, 'null'] },
    ]),
  );
}

const searchRequest: JsonSchema = {
  title: 'SearchRequest',
  description: `The parameters of a list as a body (${urns.searchRequest})`,
  type: 'object',
  properties: {
    schemas: perhapsWith(urns.searchRequest),
    ...orNull(listParameters),
    startIndex: { ...listParameters.startIndex, ...wholeNumber },
    count: { ...listParameters.count, ...wholeNumber },
    attributes: { ...names, description: 'The attributes to return' },
    excludedAttributes: {
      ...names,
      description: 'The attributes to leave out. Not together with `attributes`',
    },
  },
  anyOf: [{ properties: { attributes: noNames } }, { properties: { excludedAttributes: noNames } }],
};

const path: JsonSchema = {
  type: 'string',
  maxLength: 1_000,
  description:
    'An attribute, or some of its values: `title`, `name.givenName`, `emails[type eq "work"].value`',
};

const patchOp: JsonSchema = {
  title: 'PatchOp',
  description: `Changes of a resource (${urns.patchOp}), all of them or none`,
  type: 'object',
  required: ['Operations'],
  properties: {
    schemas: perhapsWith(urns.patchOp),
    Operations: {
      type: 'array',
      minItems: 1,
      maxItems: limits.patchOperations,
      items: {
        anyOf: [
          {
            type: 'object',
            required: ['op', 'path', 'value'],
            properties: { op: { enum: ['add', 'replace', 'Add', 'Replace'] }, path, value: {} },
          },
          {
            type: 'object',
            description:
              'Without a path, the value has attributes by their names. It may be the JSON text of such an object',
            required: ['op', 'value'],
            properties: { op: { enum: ['add', 'replace', 'Add', 'Replace'] }, value: { type: 'object' } },
          },
          {
            type: 'object',
            required: ['op', 'path'],
            properties: { op: { enum: ['remove', 'Remove'] }, path: { ...path, minLength: 1 }, value: {} },
          },
        ],
      },
    },
  },
};

const bulkId: JsonSchema = {
  type: 'string',
  description: 'Names what a POST creates, for other operations: `bulkId:a`',
};

const bulkRequest: JsonSchema = {
  title: 'BulkRequest',
  description: `Several operations (${urns.bulkRequest}), each with a result of its own`,
  type: 'object',
  required: ['Operations'],
  properties: {
    schemas: perhapsWith(urns.bulkRequest),
    failOnErrors: {
      type: ['integer', 'null'],
      minimum: 1,
      description: 'The number of errors after which the rest is not run',
    },
    Operations: {
      type: 'array',
      maxItems: limits.bulkOperations,
      items: {
        type: 'object',
        required: ['method', 'path'],
        properties: {
          method: { type: 'string', description: 'POST, PUT, PATCH or DELETE' },
          path: { type: 'string', description: '`/Users`, `/Groups`, or one of them with an identifier' },
          bulkId: { ...bulkId, type: ['string', 'null'] },
          version: {
            type: ['string', 'number', 'null'],
            description: 'The version that the resource must have, for PUT, PATCH and DELETE',
          },
          data: { description: 'The body of the operation' },
        },
      },
    },
  },
};

const bulkResponse: JsonSchema = {
  title: 'BulkResponse',
  description: `The result of each operation (${urns.bulkResponse})`,
  type: 'object',
  required: ['schemas', 'Operations'],
  properties: {
    schemas: schemasWith(urns.bulkResponse),
    Operations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['method', 'status'],
        properties: {
          method: { type: 'string' },
          bulkId: { type: 'string' },
          location: { type: 'string', description: 'Absent for a POST that failed' },
          version: { type: 'string' },
          status: { type: 'string', pattern: '^[1-5][0-9]{2}$', description: 'HTTP status of the operation' },
          response: errorSchema,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const pollRequest: JsonSchema = {
  title: 'PollRequest',
  description: 'Acknowledges tokens, and asks for more (RFC 8936 section 2.4)',
  type: 'object',
  properties: {
    ack: {
      type: 'array',
      maxItems: pollLimits.acknowledged,
      items: { type: 'string' },
      description: 'The `jti` of tokens that the caller has stored. They are not sent again',
    },
    setErrs: {
      type: 'object',
      maxProperties: pollLimits.acknowledged,
      description: 'Tokens that the caller cannot use, by their `jti`. They are not sent again',
    },
    maxEvents: {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `The most tokens of the answer. More than ${pollLimits.tokens} means ${pollLimits.tokens}`,
    },
    returnImmediately: { description: 'Ignored: no answer waits for events' },
  },
};

const pollResponse: JsonSchema = {
  title: 'PollResponse',
  description: 'Security event tokens (RFC 8417)',
  type: 'object',
  required: ['sets', 'moreAvailable'],
  properties: {
    sets: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The tokens by their `jti`. Each is a JWT of the type `secevent+jwt`',
    },
    moreAvailable: { type: 'boolean', description: 'Whether a further request gets more at once' },
  },
  additionalProperties: false,
};

/** The messages of SCIM. */
export const messageSchemas = {
  UserListResponse: listOf('UserListResponse', resourceSchemas.User),
  GroupListResponse: listOf('GroupListResponse', resourceSchemas.Group),
  ListResponse: listOf('ListResponse', { anyOf: [resourceSchemas.User, resourceSchemas.Group] }),
  SchemaListResponse: listOf('SchemaListResponse', resourceSchemas.Schema),
  ResourceTypeListResponse: listOf('ResourceTypeListResponse', resourceSchemas.ResourceType),
  SearchRequest: searchRequest,
  PatchOp: patchOp,
  BulkRequest: bulkRequest,
  BulkResponse: bulkResponse,
  PollRequest: pollRequest,
  PollResponse: pollResponse,
};
