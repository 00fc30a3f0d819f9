import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { requireAccept, requireContentType } from '../protocol/media-type.js';

/** Deepest nesting of a body: SCIM needs six levels, and recursion over a body must not exhaust the stack. */
const maxDepth = 32;

/** Reads bodies by SCIM's own rules for media types (RFC 7644 section 3.1) and refuses what is not JSON. */
export function readScimBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    // A body of DELETE means nothing (RFC 9110 section 9.3.5); clients declare its type even where there is none.
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

/** @throws AppError `scim.badJson`, also for a body that nests too deep */
function parseJson(text: string): unknown {
  if (nestsTooDeep(text))
    throw new AppError(scimErrors.badJson, { detail: `The body nests deeper than ${maxDepth}` });
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new AppError(scimErrors.badJson);
  }
}

/** Counts brackets outside strings; exact for JSON, and for anything else parsing fails anyway. */
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
