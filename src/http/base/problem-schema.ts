import Type from 'typebox';
import type { Content } from './description.js';

/** Problem details (RFC 9457), the form of all errors outside of SCIM and OAuth. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: '`urn:muster:error:` and the `id`' }),
    title: Type.String({ description: 'What the error means in general' }),
    status: Type.Integer({ description: 'The status of the response' }),
    detail: Type.String({ description: 'What was wrong with this request' }),
    id: Type.String({ description: 'Stable identifier of the error; /docs/errors lists them' }),
  },
  { title: 'Problem', description: 'Problem details (RFC 9457)' },
);

const problemType = 'application/problem+json';

export function problemContent(): Content {
  return { [problemType]: { schema: problemSchema } };
}
