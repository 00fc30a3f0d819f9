import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { requireAccept, requireContentType } from '../protocol/media-type.js';

/** The deepest nesting of a body. SCIM needs six levels. The limit keeps recursion over a body from exhausting the stack. */
const maxDepth = 32;

/** Reads bodies by the media type rules of SCIM (RFC 7644 section 3.1) and refuses bodies that are not JSON. */
export function readScimBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    // The body of a DELETE has no meaning (RFC 9110 section 9.3.5). Some clients declare its type without sending one.
    if (request.method === 'DELETE') return done(null, undefined);
    try {
      requireContentType(request.headers['content-type']);
      done(null, parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });
  scope.addHook('onRequest', (request, _reply, done) => {
    try {
      requireAccept(request.headers.accept);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
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
