import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectMethods } from '#src/http/answer-unknown.js';
import { prepareErrorReply } from '#src/http/problem.js';
import { scimMediaType } from '../protocol/media-type.js';
import { scimErrorBody } from '../protocol/render-error.js';
import { errorOfUnknown } from './refuse-methods.js';

/** Answers a thrown error with a SCIM error body (RFC 7644 section 3.12). */
export function answerScimError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = prepareErrorReply(request, reply, thrown);
  return reply.type(scimMediaType).send(JSON.stringify(scimErrorBody(error, reply.statusCode)));
}

/**
 * Answers every error below the SCIM base with a SCIM error body, also for unknown addresses and methods. Call it before the
 * routes are added.
 */
export function answerWithScimErrors(scope: FastifyInstance): void {
  const allowed = collectMethods(scope);
  scope.setErrorHandler((thrown, request, reply) => answerScimError(thrown, request, reply));
  scope.setNotFoundHandler((request, reply) =>
    answerScimError(errorOfUnknown(request, reply, allowed(request)), request, reply),
  );
}
