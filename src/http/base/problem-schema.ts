import Type from 'typebox';
import type { Content } from './description.js';

const refusedValueSchema = Type.Object({
  pointer: Type.String({
    description:
      'The place of the value: a JSON pointer as a URI fragment, such as #/login/brandColor. # is the request as a whole',
  }),
  id: Type.String({
    description: 'Stable identifier of the rule or of the error; /docs/errors lists them',
  }),
  params: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'What the rule compares with, such as the most characters' },
    ),
  ),
  detail: Type.String({ description: 'What is wrong with this value' }),
});

/** Problem details (RFC 9457), the form of all errors outside of SCIM and OAuth. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: '`urn:muster:error:` and the `id`' }),
    title: Type.String({ description: 'What the error means in general' }),
    status: Type.Integer({ description: 'The status of the response' }),
    detail: Type.String({ description: 'What was wrong with this request' }),
    id: Type.String({ description: 'Stable identifier of the error; /docs/errors lists them' }),
    errors: Type.Optional(
      Type.Array(refusedValueSchema, {
        description:
          'Each value of the request that is refused, up to 30. Absent if the error is about no value',
      }),
    ),
  },
  { title: 'Problem', description: 'Problem details (RFC 9457)' },
);

const problemType = 'application/problem+json';

export function problemContent(): Content {
  return { [problemType]: { schema: problemSchema } };
}
