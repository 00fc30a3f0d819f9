import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';
import { countsTooMany, parseParameters } from '../base/parameters.js';
import { readBody } from './read-body.js';

/** Room for a long ID token as a hint or an assertion, and for all other parameters of a form, in bytes. */
const maxFormBytes = 65_536;

/**
 * Reads the forms of this scope, and no other bodies. A repeated parameter is an array. A request without a body may name any media type,
 * because the type then says nothing (RFC 9110 section 8.3). Call it before the routes are added. A route may have a lower limit.
 */
export function readForms(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= maxFormBytes;
  });
  const read = async (request: FastifyRequest, payload: IncomingMessage) => {
    const text = await readBody(request, payload);
    if (countsTooMany(text)) throw new AppError(httpErrors.parametersTooMany);
    return parseParameters(text);
  };
  scope.addContentTypeParser('application/x-www-form-urlencoded', read);
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > 0 || (await readBody(request, payload)) !== '')
      throw new AppError(httpErrors.mediaTypeUnsupported);
  });
}
