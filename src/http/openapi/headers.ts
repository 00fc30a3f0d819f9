import type { HeaderName, JsonSchema } from '../base/description.js';

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether every response that names it has it. */
  readonly required?: true;
}

const text = { type: 'string' };

/** The headers of responses, as the document has them under `components`. */
export const headers: Readonly<Record<HeaderName, Header>> = {
  'Accept-Encoding': { description: 'The codings of a body that are supported', schema: text },
  'Accept-Ranges': { description: '`bytes`: the rest of a broken download can be asked for', schema: text },
  Allow: { description: 'The methods of the address, separated by commas', schema: text, required: true },
  'Content-Location': { description: 'URL of the resource', schema: text, required: true },
  'Content-Range': {
    description: 'The bytes that the response has, of how many',
    schema: text,
    required: true,
  },
  ETag: { description: 'The version of the resource, as a weak entity tag', schema: text, required: true },
  Location: {
    description: 'URL of what was made, or of the job that does the work',
    schema: text,
    required: true,
  },
  'Muster-Not-Exported': {
    description:
      'What the organizations have and the export does not, as a dictionary of RFC 9651 with the number of each kind. Absent if there is nothing',
    schema: text,
  },
  'Preference-Applied': { description: '`respond-async`', schema: text, required: true },
  RateLimit: { description: 'What is left of each limit, and for how many seconds', schema: text },
  'RateLimit-Policy': { description: 'Each limit, in requests within a window of seconds', schema: text },
  'Retry-After': {
    description: 'After how many seconds to try again',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, or the scope that the token lacks',
    schema: text,
  },
  'X-Error-Id': {
    description: 'Stable identifier of the error; /docs/errors lists them',
    schema: text,
    required: true,
  },
};
