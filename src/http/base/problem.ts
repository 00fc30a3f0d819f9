import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statusOfKind } from '#src/platform/error-status.js';
import type { AppError, ErrorDefinition } from '#src/platform/errors.js';
import { httpErrors } from './errors.js';
import { toAppError } from './to-app-error.js';

/** Problem details (RFC 9457), the form of all errors outside of SCIM and OAuth. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly id: string;
}

/** When a client may try again if the error does not say it. */
const usualRetrySeconds = 2;

/** The header that has the identifier of an error, whatever the form of the body. */
export const errorIdHeader = 'x-error-id';

/**
 * Logs a thrown error, and sets the status and the headers that several protocols share.
 * @returns the error to present
 */
export function prepareErrorReply(request: FastifyRequest, reply: FastifyReply, thrown: unknown): AppError {
  const found = toAppError(thrown);
  const error = (found.definition.kind === 'unauthenticated' && request.shutOut?.()) || found;
  const status = statusOfKind(error.definition.kind);
  // The time that the client gave is over: no fault of the service.
  if (status === 504) request.log.info(error.message);
  else if (status >= 500)
    request.log[status === 503 ? 'warn' : 'error']({ err: error.cause ?? error }, error.message);
  const retryAfter = error.retryAfterSeconds ?? (status === 503 ? usualRetrySeconds : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (status === 401 || error.challenge !== undefined)
    reply.header('www-authenticate', error.challenge ?? 'Bearer');
  // RFC 9110 section 12.5.3
  if (error.definition === httpErrors.encodingUnsupported) reply.header('accept-encoding', 'gzip');
  reply.code(status).header(errorIdHeader, error.definition.id);
  return error;
}

/** Answers a thrown error with a problem document. */
export function answerProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = prepareErrorReply(request, reply, thrown);
  return reply.type('application/problem+json').send(problemOf(error.definition, error.message));
}

/** The problem document of an error. */
export function problemOf({ id, message, kind }: ErrorDefinition, detail: string): Problem {
  return { type: `urn:muster:error:${id}`, title: message, status: statusOfKind(kind), detail, id };
}

/** Answers every error of this scope with a problem document. */
export function answerWithProblems(scope: FastifyInstance): void {
  scope.setErrorHandler((thrown, request, reply) => answerProblem(thrown, request, reply));
}
