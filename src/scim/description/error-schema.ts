import type { JsonSchema } from '#src/http/base/description.js';
import type { ScimType } from '#src/platform/errors.js';
import { allErrors } from '../protocol/render-error.js';
import { urns } from '../protocol/urns.js';
import { schemasWith } from './schemas-with.js';

/** The values of RFC 7644 table 9 that this service uses. */
const scimTypes: readonly ScimType[] = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidCursor',
];

const attributeError: JsonSchema = {
  type: 'object',
  required: ['id', 'message'],
  properties: {
    path: { type: 'string', description: 'The attribute, such as emails.value (RFC 7644 section 3.10)' },
    id: {
      type: 'string',
      description: 'Stable identifier of the rule or of the error; /docs/errors lists them',
    },
    params: { type: 'object', description: 'What the rule compares with, such as the most characters' },
    message: { type: 'string' },
  },
  additionalProperties: false,
};

const errorDetail: JsonSchema = {
  title: 'ErrorDetail',
  description: `The error in general (${urns.errorDetail}). Absent if the organization or the service user wants plain errors`,
  type: 'object',
  required: ['id', 'message'],
  properties: {
    id: { type: 'string', description: 'Stable identifier of the error; /docs/errors lists them' },
    message: { type: 'string' },
    errors: {
      type: 'array',
      description: `Each attribute that is refused, if the request has the header \`Prefer: ${allErrors}\``,
      items: attributeError,
    },
  },
  additionalProperties: false,
};

/** The body of an error (RFC 7644 section 3.12). */
export const errorSchema: JsonSchema = {
  title: 'Error',
  description: `SCIM error (${urns.error})`,
  type: 'object',
  required: ['schemas', 'detail', 'status'],
  properties: {
    schemas: schemasWith(urns.error),
    status: { type: 'string', pattern: '^[45][0-9]{2}$', description: 'The status of the response' },
    scimType: { type: 'string', enum: scimTypes, description: 'RFC 7644 table 9' },
    detail: { type: 'string', description: 'What was wrong with this request' },
    [urns.errorDetail]: errorDetail,
  },
  additionalProperties: false,
};
