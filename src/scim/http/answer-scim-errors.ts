import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectMethods } from '#src/http/answer-unknown.js';
import { prepareErrorReply } from '#src/http/base/problem.js';
import { prefers } from '#src/http/prefer.js';
import type { AppError } from '#src/platform/errors.js';
import type { ScimNeeds } from '../needs/needs.js';
import { scimMediaType } from '../protocol/media-type.js';
import { allErrors, type ErrorExtent, scimErrorBody } from '../protocol/render-error.js';
import { errorOfUnknown } from './refuse-methods.js';
import { errorIsPlain } from './scim-context.js';

/** Answers a thrown error with a SCIM error body (RFC 7644 section 3.12). */
export function answerScimError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, prepareErrorReply(request, reply, thrown), 'extended');
}

function send(reply: FastifyReply, error: AppError, extent: ErrorExtent): FastifyReply {
  const body = scimErrorBody(error, reply.statusCode, extent);
  return reply.type(scimMediaType).send(JSON.stringify(body));
}

/**
 * Answers every error below the SCIM base with a SCIM error body, also for unknown addresses and methods. Call it before the
 * routes are added.
 */
export function answerWithScimErrors(
  scope: FastifyInstance,
  deps: Pick<ScimNeeds, 'authenticate' | 'caches'>,
): void {
  const allowed = collectMethods(scope);
  const answer = async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = prepareErrorReply(request, reply, thrown);
    if (prefers(request.headers['prefer'], allErrors)) return send(reply, error, allErrors);
    return send(reply, error, (await errorIsPlain(deps, request, error)) ? 'plain' : 'extended');
  };
  scope.setErrorHandler(answer);
  scope.setNotFoundHandler((request, reply) =>
    answer(errorOfUnknown(request, reply, allowed(request)), request, reply),
  );
}
