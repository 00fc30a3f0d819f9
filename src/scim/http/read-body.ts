import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors } from '#src/http/base/errors.js';
import { readBody } from '#src/http/bodies/read-body.js';
import { AppError } from '#src/platform/errors.js';
import { ListTooLong, type LongList, parseLongList } from '#src/platform/json/parse-long-list.js';
import { parseJson } from '../protocol/json-text.js';
import { requireContentType } from '../protocol/media-type.js';

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
