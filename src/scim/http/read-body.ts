import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBody } from '#src/http/bodies/read-body.js';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { requireContentType } from '../protocol/media-type.js';

/** The deepest nesting of a body. SCIM needs six levels. The limit keeps recursion over a body from exhausting the stack. */
const maxDepth = 32;

/** Reads bodies by the media type rules of SCIM (RFC 7644 section 3.1) and refuses bodies that are not JSON. */
export function readScimBodies(scope: FastifyInstance): void {
  const read = async (request: FastifyRequest, payload: IncomingMessage) => {
    // Some clients declare the type of the body of a DELETE without sending one.
    if (request.method === 'DELETE') return undefined;
    const text = await readBody(request, payload);
    requireContentType(request.headers['content-type']);
    return parseJson(text);
  };
  scope.addContentTypeParser('*', read);
}

/** @throws AppError `scim.badJson` if the body is not JSON or nests too deep */
function parseJson(text: string): unknown {
  if (nestsTooDeep(text))
    throw new AppError(scimErrors.badJson, { detail: `The body nests deeper than ${maxDepth}` });
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new AppError(scimErrors.badJson);
  }
}

/** Counts brackets outside strings. The count is exact for JSON. The parser refuses any other text. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
