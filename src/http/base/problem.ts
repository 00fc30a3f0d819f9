import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statusOfKind } from '#src/platform/error-status.js';
import type { AppError, ErrorDefinition, Violation, ViolationParams } from '#src/platform/errors.js';
import { httpErrors } from './errors.js';
import { toAppError } from './to-app-error.js';

/** Problem details (RFC 9457), the form of all errors outside of SCIM and OAuth. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly id: string;
  /** Each value of the request that is refused. Absent if the error is about no value. */
  readonly errors?: readonly ProblemError[];
}

/** One value of a request that is refused (RFC 9457 section 3). */
interface ProblemError {
  /** A JSON pointer as a URI fragment (RFC 6901 section 6). */
  readonly pointer: string;
  readonly id: string;
  readonly params?: ViolationParams;
  readonly detail: string;
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
  return reply
    .type('application/problem+json')
    .send(problemOf(error.definition, error.message, error.violations));
}

/** The problem document of an error. */
export function problemOf(
  { id, message, kind }: ErrorDefinition,
  detail: string,
  violations: readonly Violation[] = [],
): Problem {
  return {
    type: `urn:muster:error:${id}`,
    title: message,
    status: statusOfKind(kind),
    detail,
    id,
    ...(violations.length > 0 && { errors: violations.map(errorOf) }),
  };
}

function errorOf({ path, id, params, detail }: Violation): ProblemError {
  return { pointer: pointerOf(path), id, ...(params && { params }), detail };
}

function pointerOf(path: readonly string[]): string {
  return `#${path.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}

/** Answers every error of this scope with a problem document. */
export function answerWithProblems(scope: FastifyInstance): void {
  scope.setErrorHandler((thrown, request, reply) => answerProblem(thrown, request, reply));
}
