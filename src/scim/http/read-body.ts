import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors } from '#src/http/base/errors.js';
import { readBody } from '#src/http/bodies/read-body.js';
import { AppError } from '#src/platform/errors.js';
import { measureJson } from '#src/platform/json/measure-json.js';
import { ListTooLong, type LongList, parseLongList } from '#src/platform/json/parse-long-list.js';
import { scimErrors } from '../protocol/errors.js';
import { requireContentType } from '../protocol/media-type.js';

/** The deepest nesting of a body. SCIM needs six levels. The limit keeps recursion over a body from exhausting the stack. */
const maxDepth = 32;

/**
 * The most members, objects and arrays of a body. A Bulk of 100 users with 50 attributes has half of them. Each takes some
 * microseconds, in which the process serves nobody else.
 */
const maxParts = 20_000;

/** The most characters of a body besides its long list, and of each part of that list. */
const maxRest = 1_048_576;

function restTooLarge({ name }: LongList): string {
  return `The body has more than ${maxRest} characters besides ${name}, or one value of it has`;
}

/**
 * Reads bodies by the media type rules of SCIM (RFC 7644 section 3.1) and refuses bodies that are not JSON. They may be compressed
 * with gzip.
 */
export function readScimBodies(scope: FastifyInstance): void {
  const read = async (request: FastifyRequest, payload: IncomingMessage) => {
    // Some clients declare the type of the body of a DELETE without sending one.
    if (request.method === 'DELETE') return undefined;
    const text = await readBody(request, payload, { mayBeGzipped: true });
    requireContentType(request.headers['content-type']);
    const { longList } = request.routeOptions.config;
    if (longList === undefined) return parseJson(text);
    try {
      return await parseLongList(text, longList, (json) => {
        if (json.length > maxRest)
          throw new AppError(httpErrors.bodyTooLarge, { detail: restTooLarge(longList) });
        return parseJson(json);
      });
    } catch (error) {
      if (!(error instanceof ListTooLong)) throw error;
      const detail = `${longList.name} has more than ${longList.most} values`;
      throw new AppError(httpErrors.bodyTooLarge, { detail });
    }
  };
  scope.addContentTypeParser('*', read);
}

/** @throws AppError `scim.badJson` if the body is not JSON or nests too deep, `http.bodyTooLarge` if it has too many parts */
function parseJson(text: string): unknown {
  const { depth, parts } = measureJson(text);
  if (depth > maxDepth)
    throw new AppError(scimErrors.badJson, { detail: `The body nests deeper than ${maxDepth} levels` });
  if (parts > maxParts)
    throw new AppError(httpErrors.bodyTooLarge, { detail: `The body has more than ${maxParts} members` });
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new AppError(scimErrors.badJson);
  }
}
